import Configuration
import JSONTree
import Testing
import VerificationCore

@Suite struct WebhookTests {
    private static let secret = "whsec_" + ByteText.base64(Array(repeating: 7, count: 24))

    private func problems(
        _ webhook: String, in environment: String = "development", secret: String = secret
    ) throws -> [String] {
        var changes = [("role: \"app\",", "role: \"app\", webhook: \(webhook),")]
        if environment == "production" {
            changes += [("\"development\"", "\"production\""), ("kind: \"in_house\",", RulesTests.certification)]
        }
        do {
            _ = try Scene.load(changes, variables: ["SEALING": Scene.sealingKey, "HOOK": secret])
            return []
        } catch let problems as JSONProblems {
            return problems.problems.map { "\($0.path): \($0.problem)" }
        }
    }

    static let addresses: [(String, development: Bool, production: Bool)] = [
        ("https://app.example.jp/ended", true, true), ("https://app.example.jp", true, true),
        ("https://app.example.jp:8443/a?b=c", true, true), ("https://192.0.2.1/a", true, true),
        ("https://[2001:db8::1]:8443/a", true, true), ("https://127.0.0.1/a", true, true),
        ("http://127.0.0.1:9000/a", true, false), ("http://localhost/a", true, false), ("http://[::1]/a", true, false),
        ("http://127.0.0.1.example.jp/a", false, false), ("http://app.example.jp/a", false, false),
        ("http://10.0.0.1/a", false, false), ("http://localhost.example.jp/", false, false),
        ("HTTPS://app.example.jp/", false, false), ("ftp://app.example.jp/", false, false),
        ("app.example.jp", false, false),
        ("https://", false, false), ("https:///a", false, false), ("https://app.example.jp:0/", false, false),
        ("https://app.example.jp:65536/", false, false), ("https://app.example.jp:/", false, false),
        ("https://app.example.jp/a b", false, false), ("https://app.example.jp/#a", false, false),
        ("https://app.example.jp\\\\@evil.example/", false, false), ("https://例え.jp/", false, false),
        ("https://[::1/", false, false), ("https://a_b.example.jp/", false, false), ("", false, false),
    ]

    @Test(arguments: addresses) func `a webhook goes by https, or in plain to this machine outside production`(
        url: String, development: Bool, production: Bool
    ) throws {
        let webhook = "{ url: \"\(url)\", secrets: [{ env: \"HOOK\" }] }"
        for (environment, isGood) in [("development", development), ("production", production)] {
            let problems = try problems(webhook, in: environment)
            #expect(problems.isEmpty == isGood, "\(problems)")
            #expect(problems.allSatisfy { $0.contains("clients.app.webhook.url:") })
        }
    }

    @Test(arguments: [
        "https://c4n4ry:S3cret@app.example.jp/", "https://c4n4ry@app.example.jp/", "http://c4n4ry@127.0.0.1/",
    ])
    func `F05 a user name or a password in an address is refused wherever it stands, and not shown`(url: String) throws
    {
        let webhook = try problems("{ url: \"\(url)\", secrets: [{ env: \"HOOK\" }] }")
        #expect(
            webhook == [
                "clients.app.webhook.url: holds a user name or a password in an address: secrets have places of their own"
            ])
        for (old, new) in [
            ("retention: \"1d\"", "description: \"see \(url)\", retention: \"1d\""),
            ("merchant_identifier: \"m\"", "merchant_identifier: \"\(url)\""), ("x.sqlite3", url),
        ] {
            let found = try Scene.problems((old, new))
            #expect(
                found.contains {
                    $0.hasSuffix("holds a user name or a password in an address: secrets have places of their own")
                })
            #expect(!found.description.contains("c4n4ry") && !found.description.contains("S3cret"))
        }
    }

    static let secrets: [(String, Bool)] = [
        (secret, true), ("whsec_" + ByteText.base64(Array(repeating: 7, count: 64)), true),
        ("whsec_" + ByteText.base64(Array(repeating: 7, count: 23)), false),
        (String(repeating: "c4n4ry", count: 10), false),
        ("whsec_c4n4ry!", false), ("whsec_", false),
    ]

    @Test(arguments: secrets) func `a webhook's secret is one of Standard Webhooks`(secret: String, isGood: Bool) throws
    {
        let found = try problems("{ url: \"https://a.example/\", secrets: [{ env: \"HOOK\" }] }", secret: secret)
        #expect(found.isEmpty == isGood)
        #expect(
            found.allSatisfy {
                $0.hasPrefix("clients.app.webhook.secrets[0]: is no secret of Standard Webhooks")
                    && !$0.contains("c4n4ry")
            })
    }

    @Test func `F01 a webhook's secret that is missing refuses the whole`() throws {
        let found = try problems("{ url: \"https://a.example/\", secrets: [{ env: \"NOBODY\" }] }")
        #expect(found == ["clients.app.webhook.secrets[0]: the environment variable with the secret is not set"])
        #expect(try problems("{ url: \"https://a.example/\", secrets: [] }").count == 1)
        #expect(try problems("{ url: \"https://a.example/\" }") == ["clients.app.webhook.secrets: is missing"])
        #expect(
            try problems("{ url: \"https://a.example/\", secrets: [{ env: \"HOOK\" }, { env: \"HOOK\" }] }").count == 1)
        #expect(try problems("{ url: \"https://a.example/\", secrets: [\"\(Self.secret)\"] }").count == 1)
    }

    @Test func `the canonical form holds the place of a webhook's secret, never the secret`() throws {
        let loaded = try Scene.load(
            [
                (
                    "role: \"app\",",
                    "role: \"app\", webhook: { url: \"https://a.example/\", secrets: [{ env: \"HOOK\" }] },"
                )
            ],
            variables: ["SEALING": Scene.sealingKey, "HOOK": Self.secret])
        let form = String(decoding: loaded.canonicalForm, as: UTF8.self)
        #expect(form.contains("HOOK") && !form.contains(Self.secret))
        #expect(loaded.clients[ClientID("app")]?.webhook?.secrets == [.env("HOOK")])
        #expect(!"\(loaded)".contains(Self.secret))
    }
}
