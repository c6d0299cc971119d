import Billing
import Configuration
import Foundation
import JSONTree
import Routing
import Testing
import VerificationCore

@Suite struct ExamplesTests {
    /// The reference with its secrets in a folder of the test.
    static func reference(in folder: Folder) throws -> String {
        for name in ["merchant-2026.key", "licences.key", "provider.key"] { try folder.write([1], to: name) }
        try folder.write(Array(String(repeating: "5a", count: 32).utf8), to: "sealing-2026-11")
        for name in ["webhook-2026", "webhook-operators"] {
            try folder.write(Array("whsec_\(ByteText.base64(Array(repeating: 0x5A, count: 32)))".utf8), to: name)
        }
        let tariff =
            #"{from: "2026-01-01", prices: {completed_any: {unit: "80"}}, tax: {rate: "0.10", rounding: "down"}}"#
        let book = #"{name: "2026", verifiers: {provider: {currency: "JPY", tariffs: [\#(tariff)]}}}"#
        try folder.write(Array(book.utf8), to: "prices.json5")
        let command = #"["/usr/bin/secret-tool", "lookup", "sekisho", "2025-11"]"#
        let text = try Scene.shipped("reference.json5")
        try #require(text.contains(command))
        return text.replacingOccurrences(of: "/run/secrets/", with: folder.url.path + "/")
            .replacingOccurrences(of: "/etc/sekisho/prices.json5", with: folder.url.path + "/prices.json5")
            .replacingOccurrences(of: command, with: #"["/bin/echo", "\#(Scene.sealingKey)"]"#)
    }

    @Test func `the reference is good, in production, and states the defaults as they are`() throws {
        let folder = try Folder()
        let text = try ExamplesTests.reference(in: folder)
        let loaded = try Scene.loader(["SEKISHO_MERCHANT_KEY_2025": "x"]).load(Array(text.utf8), at: Scene.now)
        #expect(loaded.environment == .production)
        #expect(loaded.http == HTTPDeclaration())
        #expect(loaded.sessions == SessionsDeclaration())
        #expect(loaded.logging == LoggingDeclaration())
        #expect(loaded.store == .sqlite(path: "/var/lib/sekisho/sekisho.sqlite3"))
        #expect(loaded.sealingKeys.map(\.id) == ["2026-11", "2025-11"])
        #expect(loaded.sealingKeys[0].key.withValue { $0 } == Array(repeating: 0x5A, count: 32))
        let opening = try #require(loaded.purposes[PurposeID("account-opening")])
        #expect(opening.purpose.documentTypes == ["org.iso.23220.1.jp.mnc"])
        #expect(opening.purpose.retention == .seconds(90 * 86_400))
        #expect(opening.purpose.eventRetention == EventRetention(after: .contractEnded, keep: .years(7)))
        #expect(opening.purpose.relyingPartyRetention == .unbounded)
        #expect(opening.requiresCertification)
        #expect(opening.purpose.legalMethods?.code == "wallet-ru")
        let method = opening.purpose.legalMethod(at: Scene.now)
        #expect(method?.policy == "犯罪による収益の移転防止に関する法律施行規則")
        #expect(method?.procedure == "6条1項1号ル" && method?.lawAsOf == CivilDate("2018-11-30"))
        let licences = try #require(loaded.verifiers[VerifierID("licences")])
        #expect(licences.certification == nil && licences.certificationException != nil && !licences.isSimulated)
        #expect(loaded.verifiers[VerifierID("in-house")]?.isCertified(at: Scene.now) == true)
        let rules = loaded.routes.rules
        #expect(rules.map(\.name) == ["licences", "trial-of-next", "everything-else"])
        #expect(rules.map(\.isDefault) == [false, false, true])
        #expect(rules[1].targets.map(\.weight) == [90, 10] && rules[1].window?.hours?.zone.name == "Asia/Tokyo")
        #expect(rules[2].fallbacks == [VerifierID("in-house-next")] && rules[2].shadow?.percent == 5)
        var circuit = CircuitSettings()
        #expect(licences.circuit == circuit)
        circuit.concurrency = 64
        #expect(loaded.verifiers[VerifierID("in-house")]?.circuit == circuit)
        #expect(opening.purpose.regimes == ["bango-18-4"])
        let app = try #require(loaded.clients[ClientID("account-opening-app")])
        #expect(app.webhook?.url.text == "https://app.example.jp/sekisho/ended" && app.webhook?.secrets.count == 1)
        #expect(
            loaded.budgets.map { "\($0)" } == [
                "in-house/account-opening-app/month/attempts", "provider/*/month/amount:JPY",
            ])
        #expect(loaded.budgets.map { "\($0.soft.map { "\($0)" } ?? "")" } == ["40000", "400000"])
        #expect(loaded.operatorWebhook?.url.text == "https://watch.example.jp/sekisho/budgets")
        #expect(app.role == .app && app.purposes.count == 2 && app.keyHashes.map(\.count) == [32])
    }

    @Test func `the development configuration is good, but for the files that the demonstration makes`() throws {
        let text = Array(try Scene.shipped("development.json5").utf8)
        do throws(JSONProblems) {
            // Not in the demonstration's folder: so the key is missing, and nothing else is wrong.
            _ = try Scene.loader().load(text, at: Scene.now)
            #expect(FileManager.default.fileExists(atPath: "var/demo/sealing.key"))
        } catch {
            #expect(Set(error.problems.map(\.problem)) == ["the file with the secret does not exist"])
            #expect(
                error.problems.map(\.path) == [
                    "sealing.keys[0].key", "verifiers.in-house.wallet.keys[0].key",
                    "verifiers.alpha.credentials.api_key", "verifiers.beta.credentials.client_id",
                    "verifiers.beta.credentials.client_secret", "verifiers.gamma.credentials.signing_secret",
                    "verifiers.gamma.credentials.webhook_secret",
                ])
        }
    }

    @Test func `the demonstration's keys are those that production refuses`() throws {
        let text = try Scene.shipped("development.json5").replacingOccurrences(
            of: "\"development\"", with: "\"production\"")
        let error = #expect(throws: JSONProblems.self) { try Scene.loader().load(Array(text.utf8), at: Scene.now) }
        let refused = error?.problems.filter { $0.problem == "is the hash of a demonstration key: not in production" }
        #expect(
            refused?.map(\.path) == [
                "clients.demo-app.key_sha256[0]", "clients.demo-operator.key_sha256[0]",
                "clients.demo-finance.key_sha256[0]", "clients.demo-auditor.key_sha256[0]",
            ])
    }

    @Test func `what is left out has its default`() throws {
        let loaded = try Scene.load()
        #expect(loaded.http == HTTPDeclaration() && loaded.http.address == "127.0.0.1")
        #expect(loaded.sessions == SessionsDeclaration())
        #expect(loaded.store == .sqlite(path: "x.sqlite3"))
        #expect(loaded.purposes[PurposeID("kyc")]?.requiresCertification == false)
    }
}
