import Foundation
import TestSupport
import Testing

/// Every switch of the configuration that decides a verdict, from the file to the answer: the same card, or the same
/// fault, comes out otherwise once it is thrown. A policy that was read and lost on the way would be seen here.
@Suite(.serialized) struct SwitchTests {
    /// How a session ends.
    enum Outcome: Sendable, Equatable {
        case verified(revocation: String)
        case rejected(check: String, reason: String)
        case failed(String)
        case refused(Int, String)
        case refusedAtStart
    }

    struct Switch: Sendable, CustomTestStringConvertible {
        let name: String
        /// What is changed in the development configuration.
        let change: [(String, String)]
        /// What the wallet does.
        var present: [String] = []
        /// With the development configuration as it is.
        let before: Outcome
        let after: Outcome

        var testDescription: String { name }
    }

    private static let kind = #"kind: "in_house","#
    private static let list = #"revocation: { crls: ["var/demo/iaca.crl"], policy: "not_checked" },"#
    private static let trust = #"trust: [{ path: "var/demo/iaca.pem" }],"#
    private static let required = #"required_claims: ["name", "address.formatted", "birthdate", "portrait"],"#
    private static let good = Outcome.verified(revocation: "passed")

    static let switches = [
        Switch(
            name: "certificate_profile", change: [(kind, kind + #" certificate_profile: "iso18013-5","#)],
            present: ["--fault", "certificate_too_long"], before: good,
            after: .rejected(check: "issuer_certificate", reason: "issuer_certificate_invalid")),
        Switch(
            name: "mode", change: [(kind, kind + #" mode: "simulator","#), (list, "")],
            present: ["--fault", "simulator"],
            before: .rejected(check: "issuer_certificate", reason: "issuer_certificate_missing"),
            after: .verified(revocation: "not_checked")),
        Switch(
            name: "revocation", change: [(list, "")], present: ["--fault", "signer_revoked"],
            before: .rejected(check: "revocation", reason: "issuer_certificate_revoked"),
            after: .verified(revocation: "not_checked")),
        Switch(
            name: "revocation.policy, no list for this issuer: fail",
            change: [(list, #"revocation: { crls: ["var/other/iaca.crl"], policy: "fail" },"#)],
            before: good, after: .failed("revocation_unavailable")),
        Switch(
            name: "revocation.policy, no list for this issuer: not_checked",
            change: [(list, #"revocation: { crls: ["var/other/iaca.crl"], policy: "not_checked" },"#)],
            before: good, after: .verified(revocation: "not_checked")),
        Switch(
            name: "trust.path", change: [(trust, #"trust: [{ path: "var/other/iaca.pem" }],"#), (list, "")],
            before: good, after: .rejected(check: "issuer_certificate", reason: "issuer_untrusted")),
        Switch(
            name: "trust.document_types",
            change: [
                (trust, #"trust: [{ path: "var/demo/iaca.pem", document_types: ["org.iso.18013.5.1.mDL"] }],"#)
            ],
            before: good, after: .refused(503, "verifier_unavailable")),
        Switch(
            name: "wallet.keys", change: [("var/demo/merchant.key", "var/other/merchant.key")], before: good,
            after: .rejected(check: "recipient_key", reason: "recipient_key_unknown")),
        Switch(
            name: "wallet.team_identifier", change: [("SEKISHO123", "SEKISHO124")], before: good,
            after: .rejected(check: "session_binding", reason: "session_mismatch")),
        Switch(
            name: "required_claims", change: [(required, #"required_claims: ["birthdate"],"#)],
            present: ["--fault", "element_withheld"],
            before: .rejected(check: "elements", reason: "element_missing"), after: good),
        Switch(
            name: "require_certification", change: [(required, required + " require_certification: true,")],
            before: good, after: .refusedAtStart),
        Switch(
            name: "clients.purposes",
            change: [(#"purposes: ["account-opening", "age-check"]"#, #"purposes: ["age-check"]"#)],
            before: good, after: .refused(422, "purpose_not_allowed")),
        Switch(
            name: "clients.key_sha256",
            change: [
                (
                    "5181bf7b72b66a9c4c69c081147f29a55917a674701af189b6b79289c871fb0f",
                    String(repeating: "ab", count: 32)
                )
            ],
            before: good, after: .refused(401, "unauthorized")),
    ]

    private func outcome(_ gateway: RunningGateway, _ present: [String]) async throws -> Outcome {
        let session = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
        guard session.status == 201 else { return .refused(session.status, session.code ?? "") }
        let arguments = ["present", "--directory", "var/demo", "--request", "-"] + present
        // The phone knows its team by itself, whatever the gateway believes.
        let request = session.text.replacingOccurrences(of: #""team_identifier":"SEKISHO124","#, with: "")
        let (status, body) = try gateway.run("sekisho-wallet", arguments, input: request)
        try #require(status == 0, "the wallet cannot do this")
        let answer = try await gateway.call("POST", "/v1/sessions/\(session.id)/submission", body: body)
        if let failure = answer.json["failure"] as? [String: Any] { return .failed(failure["code"] as? String ?? "") }
        let result = try #require(answer.json["result"] as? [String: Any], "\(answer.text)")
        let checks = try #require(result["checks"] as? [[String: Any]])
        if answer.sessionStatus == "verified" {
            let revocation = checks.first { $0["name"] as? String == "revocation" }
            return .verified(revocation: revocation?["status"] as? String ?? "")
        }
        #expect(result["claims"] is NSNull)
        let failed = checks.first { $0["status"] as? String == "failed" }
        return .rejected(check: failed?["name"] as? String ?? "", reason: failed?["reason"] as? String ?? "")
    }

    private func running(_ change: [(String, String)]) async throws -> RunningGateway {
        let gateway = try RunningGateway(settings: change)
        try #require(try gateway.run("sekisho-wallet", ["issue", "--directory", "var/other"]).status == 0)
        try await gateway.start()
        return gateway
    }

    @Test func `H13 with the development configuration as it is, nothing is switched yet`() async throws {
        let gateway = try await running([])
        for item in Self.switches { #expect(try await outcome(gateway, item.present) == item.before, "\(item.name)") }
        #expect(try await gateway.stop() == 0)
    }

    @Test(arguments: switches)
    func `H13 each switch of the configuration is seen in the answer`(item: Switch) async throws {
        #expect(item.before != item.after)
        guard item.after != .refusedAtStart else {
            await #expect(throws: RunningGateway.Failure.self) { _ = try await running(item.change) }
            return
        }
        let gateway = try await running(item.change)
        let outcome = try await outcome(gateway, item.present)
        #expect(outcome == item.after, "\(outcome)")
        #expect(try await gateway.stop() == 0)
    }

    @Test func `H13 lifetimes, retention, limits and the level of the log reach the gateway`() async throws {
        let gateway = try await running([
            (#"retention: "1d""#, #"retention: "0s""#),
            (
                "routes: [{",
                #"""
                sessions: { lifetime: "61s" }, logging: { level: "debug" },
                routes: [{
                """#
            ),
            ("http: { port: 0 }", "http: { port: 0, limits: { body_bytes: 65536 } }"),
        ])
        let session = try await gateway.presented()
        let read = try await gateway.call("GET", "/v1/sessions/\(session.id)")
        let times = try ["created_at", "expires_at"].map { name in
            let text = try #require(read.json[name] as? String)
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            return try Date(text, strategy: format)
        }
        #expect(abs(times[1].timeIntervalSince(times[0]) - 61) < 0.001)
        let long = #"{"encrypted_data":"\#(String(repeating: "A", count: 70_000))"}"#
        let refused = try await gateway.call("POST", "/v1/sessions/\(session.id)/submission", body: long)
        #expect(refused.status == 413 && refused.code == "payload_too_large")
        let answer = try await gateway.call("POST", "/v1/sessions/\(session.id)/submission", body: session.submission)
        #expect(answer.sessionStatus == "verified")
        _ = try await eventually {
            let later = try await gateway.call("GET", "/v1/sessions/\(session.id)")
            return (later.json["result"] as? [String: Any])?["claims"] is NSNull
        }
        let erased = try await gateway.call("GET", "/v1/sessions/\(session.id)/verified-claims")
        #expect(erased.status == 410 && erased.code == "claims_erased")
        // Probes are told at the level "debug" only.
        _ = try await gateway.call("GET", "/healthz")
        #expect(try await gateway.stop() == 0)
        #expect(try String(contentsOf: gateway.logs[0], encoding: .utf8).contains(#""route":"/healthz""#))
    }
}
