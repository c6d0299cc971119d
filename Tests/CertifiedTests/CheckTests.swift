import Foundation
import JSONTree
import Testing
import VerificationCore

@testable import Certified
@testable import Configuration

/// What `check` says of a manifest and of the configuration that names it.
@Suite struct CheckTests {
    /// Problems of a manifest after one change, without their lines.
    private func problems(_ name: String, _ old: String, _ new: String) throws -> [String] {
        let text = try Fixture.text(name)
        let changed = text.replacingOccurrences(of: old, with: new)
        try #require(changed != text, "the change changes nothing")
        let list = JSONProblemList()
        _ = ManifestReading.manifest(Array(changed.utf8), problems: list)
        return JSONProblems(list.problems).problems.map { "\($0.path): \($0.problem)" }
    }

    @Test(arguments: [
        ("{session}\", document", "{sesion}\", document", "steps.begin.json.data.attributes.external-ref"),
        ("path: \"/challenges/{reference}\",", "path: \"/challenges/{reference}?x=1\",", "steps.fetch.path"),
        (
            "scheme: \"timestamped\", header: \"Example-Signature\"", "scheme: \"timestamped\"",
            "webhooks.signature.header"
        ),
    ])
    func `what is there and wrong is not said to be missing as well`(old: String, new: String, place: String) throws {
        let problems = try problems("jsonapi", old, new)
        #expect(problems.count == 1 && problems.allSatisfy { $0.hasPrefix(place + ": ") }, "\(problems)")
    }

    static let changes: [(String, String, String, String)] = [
        ("pocketsign", "{evidence:base64}", "{evidenc:base64}", "steps.submit.json.card.response: names no variable"),
        (
            "pocketsign", "\"{session}\",\n        card", "\"{reference}\",\n        card",
            "steps.submit.json.externalId: {reference} is not known"
        ),
        (
            "pocketsign", "path: \"/example.verify.v2.VerificationService/Verify\"", "path: \"example/Verify\"",
            "steps.submit.path: must begin with a slash"
        ),
        (
            "pocketsign", "VerificationService/Verify\"", "VerificationService/Verify?x=1\"",
            "steps.submit.path: holds a character"
        ),
        ("pocketsign", "timeout: \"10s\"", "timeout: 10", "steps.submit.timeout: must be a string"),
        (
            "pocketsign", "billing: { class: \"completed_any\", when: \"verdict\" },",
            "billing: { class: \"completed_any\", when: \"verdict\" }, retry: { tries: 2 },",
            "steps.submit.retry: repeats a step that bills"
        ),
        (
            "pocketsign", "credential: \"api_token\"", "credential: \"api_tokn\"",
            "authentication.credential: names no entry"
        ),
        (
            "pocketsign", "{ status: 429, then: \"try_again\" }", "{ status: 429, then: \"verfied\" }",
            "did you mean \"verified\""
        ),
        (
            "pocketsign", "{ status: 429, then: \"try_again\" }", "{ status: 429, then: \"opened\" }",
            "then: is no outcome of submit"
        ),
        (
            "pocketsign", "{ status: 429, then: \"try_again\" }", "{ status: 429, then: \"pending\" }",
            "steps.submit.outcomes: something maps to pending, and there is neither poll nor webhooks"
        ),
        (
            "pocketsign",
            "when: { at: \"/verification/result\", equals: \"RESULT_OK\" }, then: \"verified\" },\n        {",
            "when: { at: \"/verification/result\", equals: \"RESULT_OK\" }, then: \"error\" },\n        {",
            "nothing maps to verified"
        ),
        (
            "pocketsign", "\"/certificateContent/commonName\"", "\"certificateContent/commonName\"",
            "claims.name: must be a JSON Pointer"
        ),
        (
            "pocketsign", "\"/certificateContent/commonName\"", "\"/certificateContent/individual_number\"",
            "claims.name: points at an individual number"
        ),
        (
            "pocketsign", "name: \"/certificateContent/commonName\"",
            "documentNumber: \"/certificateContent/commonName\"", "which can never be asked for"
        ),
        (
            "pocketsign", "name: \"/certificateContent/commonName\"", "nam: \"/certificateContent/commonName\"",
            "did you mean \"name\""
        ),
        (
            "pocketsign", "status: [400, 401, 403], then: \"error\" },\n      ],\n    },\n    fetch",
            "status: 429, then: \"error\" },\n      ],\n    },\n    fetch", "can never be reached"
        ),
        (
            "pocketsign", "nonce: { origin: \"gateway\"", "nonce: { origin: \"provider\"",
            "nonce: is the provider's: a step begin must fetch it"
        ),
        (
            "pocketsign", "CERTIFICATE_REVOKED: \"document_revoked\"", "CERTIFICATE_REVOKED: \"revoked\"",
            "codes.CERTIFICATE_REVOKED: must be one of"
        ),
        ("pocketsign", "steps: {", "step: {", "step: is not a known key; did you mean steps?"),
        ("pocketsign", "name: \"Connect-shaped\",", "", "name: is missing"),
        ("pocketsign", "erase: {", "erese: {", "steps.erese: names no step; did you mean \"erase\"?"),
        (
            "pocketsign", "headers: { \"Connect-Protocol-Version\": 1 }", "headers: { Host: \"x\" }",
            "steps.submit.headers.Host: is written by the client"
        ),
        (
            "pocketsign", "headers: { \"Connect-Protocol-Version\": 1 }", "query: { key: \"{credentials.api_token}\" }",
            "may not stand here"
        ),
        (
            "ntt", "answer: { reference: \"/cardRequestId\" },", "",
            "{reference} is not known: no answer to begin or submit declares a reference"
        ),
        (
            "ntt", "{ status: 202, when: { at: \"/cardRequestId\", exists: true }, then: \"pending\" },", "",
            "steps.poll: nothing maps to pending in submit"
        ),
        ("ntt", "reference: \"not_stated\",", "", "steps.poll.answer: does not say how an answer is known to be ours"),
        ("ntt", "pattern: \"YYYY年M月D日\"", "pattern: \"YY年M月D日\"", "pattern: must have YYYY"),
        ("ntt", "{variables.tenant}", "{variables.tennant}", "did you mean \"tenant\""),
        ("stripe", "{kept.page}", "{kept.pages}", "{kept.pages} is not known: no answer to begin keeps it"),
        ("stripe", "nonce: \"/request/nonce\",", "", "steps.begin.answer: has no nonce"),
        (
            "stripe", "steps: [\"begin\", \"submit\"] }", "steps: [\"begin\"] }",
            "steps.submit.retry: repeats a step that bills"
        ),
        (
            "stripe", "idempotency: { header: \"Idempotency-Key\",", "idempotency: { in_body: true,",
            "idempotency.in_body: the body of begin does not hold"
        ),
        ("stripe", "then: \"opened\"", "then: \"error\"", "steps.begin.outcomes: maps nothing to opened"),
        ("stripe", "credentials: [\"webhook_secret\"],", "credentials: [],", "webhooks.credentials: must not be empty"),
        (
            "trinsic", "results_key: \"/resultCollection/resultsAccessKey\"",
            "other_key: \"/resultCollection/resultsAccessKey\"", "{kept.results_key} is not known"
        ),
        (
            "mattr", "form: \"utf8\"", "form: \"utf8\", bytes: { minimum: 16, maximum: 32 }",
            "the gateway's nonce has 43 bytes"
        ),
        ("veriff", "parts: [\"body\"]", "parts: [\"bdy\"]", "did you mean \"body\""),
        (
            "veriff", "methods: [\"GET\", \"DELETE\"]", "methods: [\"GET\", \"POST\"]",
            "writes a header that another one writes already"
        ),
        ("veriff", "method: \"GET\"", "method: \"GET\", json: {}", "steps.poll.method: cannot have a body"),
    ]

    @Test(arguments: changes)
    func `one mistake is named where it stands`(name: String, old: String, new: String, expected: String) throws {
        let found = try problems(name, old, new)
        #expect(found.contains { $0.contains(expected) }, "found: \(found)")
    }

    @Test func `every mistake is named at once`() throws {
        let text = try Fixture.text("pocketsign")
            .replacingOccurrences(of: "{evidence:base64}", with: "{evidence}")
            .replacingOccurrences(of: "timeout: \"10s\"", with: "timeout: \"10\"")
            .replacingOccurrences(of: "then: \"unavailable\"", with: "then: \"unavailble\"")
            .replacingOccurrences(of: "kind: \"bearer\"", with: "kind: \"bear\"")
        let list = JSONProblemList()
        _ = ManifestReading.manifest(Array(text.utf8), problems: list)
        #expect(list.problems.count >= 4)
        #expect(Set(list.problems.map(\.line)).count >= 4)
    }

    private func check(
        _ configuration: String, environment: DeploymentEnvironment = .development, manifest: String = "pocketsign"
    ) throws -> [String] {
        let path = Fixture.folder.appendingPathComponent(manifest + ".json5").path
        let text = configuration.replacingOccurrences(of: "MANIFEST", with: path)
        let declaration = VerifierDeclaration(
            id: VerifierID("x"), kind: "certified", certification: nil, certificationException: nil, isSimulated: false,
            node: try JSONNode.parse(Array(text.utf8), syntax: .json5), path: "verifiers.x")
        let problems = JSONProblemList()
        CertifiedProvider.check(declaration, in: Stage.context(environment), problems: problems)
        return problems.problems.map { "\($0.path): \($0.problem)" }
    }

    static let good = """
        { kind: "certified", manifest: "MANIFEST", credentials: { api_token: { env: "SECRET" } },
          wallet: { merchant_identifier: "m", team_identifier: "t", key_holder: "provider" } }
        """

    static let configurations: [(String, String, String)] = [
        (
            "{ api_token: { env: \"SECRET\" } }", "{}",
            "verifiers.x.credentials: lacks what the manifest needs: api_token"
        ),
        ("{ env: \"SECRET\" }", "{ env: \"NONE\" }", "verifiers.x.credentials.api_token: "),
        ("{ env: \"SECRET\" }", "\"literal-secret\"", "never the secret itself"),
        ("api_token:", "api_tokn:", "names no entry of the manifest's credentials; did you mean \"api_token\"?"),
        (
            "key_holder: \"provider\"", "key_holder: \"provider\", key: { env: \"SECRET\" }",
            "wallet.key: does not belong here"
        ),
        ("key_holder: \"provider\"", "key_holder: \"relying_party\"", "wallet.key_sha256: is missing"),
        ("key_holder: \"provider\"", "key_holder: \"provider\", key_sha256: [\"00\"]", "must be 64 hexadecimal digits"),
        ("merchant_identifier: \"m\", ", "", "wallet.merchant_identifier: is missing"),
        ("wallet:", "document_types: [\"org.iso.18013.5.1.mDL\"], wallet:", "has no word in the manifest's vocabulary"),
        ("wallet:", "endpoint: \"http://provider.example\", wallet:", "is not encrypted, and not this machine"),
        ("wallet:", "endpoint: \"https://u:p@provider.example\", wallet:", "endpoint: must be an address"),
        ("wallet:", "variables: { x: 1 }, wallet:", "variables.x: names no entry"),
        (
            "wallet:", "billing: { poll: { class: \"status_check\", when: \"call\" } }, wallet:",
            "billing.poll: names no step"
        ),
        (
            "wallet:", "tls: { client_certificate: \"/nowhere\" }, wallet:",
            "needs client_certificate and client_key together"
        ),
        ("wallet:", "tls: { ca_file: \"/nowhere\" }, wallet:", "tls.ca_file: is no file of certificates"),
        ("MANIFEST", "/nowhere.json5", "verifiers.x.manifest: cannot be read"),
        ("manifest:", "manifesto:", "verifiers.x.manifest: is missing"),
    ]

    @Test func `a good configuration has no problem`() throws {
        #expect(try check(Self.good) == [])
        #expect(try check(Self.good, environment: .production) == [])
        let local = Self.good.replacingOccurrences(
            of: "wallet:", with: "endpoint: \"http://127.0.0.1:8080/x\", wallet:")
        #expect(try check(local) == [])
        #expect(
            try check(local, environment: .production) == ["verifiers.x.endpoint: is not encrypted: not in production"])
    }

    @Test(arguments: configurations)
    func `one mistake of the configuration is named where it stands`(old: String, new: String, expected: String) throws
    {
        let text = Self.good.replacingOccurrences(of: old, with: new)
        try #require(text != Self.good)
        let found = try check(text)
        #expect(found.contains { $0.contains(expected) }, "found: \(found)")
        #expect(!found.contains { $0.contains("literal-secret") })
    }

    @Test func `a mistake of the manifest names its file and its line`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("broken-\(UUID().uuidString).json5")
        try "{\n name: 5 }".write(to: path, atomically: true, encoding: .utf8)
        let declaration = VerifierDeclaration(
            id: VerifierID("x"), kind: "certified", certification: nil, certificationException: nil, isSimulated: false,
            node: try JSONNode.parse(Array("{kind: \"certified\", manifest: \"\(path.path)\"}".utf8), syntax: .json5),
            path: "verifiers.x")
        let problems = JSONProblemList()
        CertifiedProvider.check(declaration, in: Stage.context(), problems: problems)
        let found = problems.problems.map(\.description)
        #expect(
            found.contains("verifiers.x.manifest: \(path.lastPathComponent): name (2): must be a string, not a number"))
        // A manifest that cannot be used does not make everything else look wrong.
        #expect(!found.contains { $0.contains("lacks what the manifest needs") })
    }

    @Test(arguments: ["alpha", "beta", "gamma"])
    func `the manifests that are shipped have no problem`(name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Config/providers")
        let problems = JSONProblemList()
        _ = ManifestReading.manifest(
            Array(try Data(contentsOf: folder.appendingPathComponent(name + ".json5"))), problems: problems)
        #expect(problems.problems.map(\.description) == [])
    }
}
