import Foundation
import Testing
import VerificationCore

/// Searches everything that the program wrote and said for what must not be there.
@Suite(.serialized) struct CanaryTests {
    /// The number of WalletKit's test card: its check digit is right and it is nobody's.
    private static let individualNumber = "123456789018"

    /// A text in the spellings in which it could have leaked.
    private func spellings(_ text: String) -> [(String, Data)] {
        let bytes = Array(text.utf8)
        let hex = ByteText.hex(bytes)
        var all = [("plain", text), ("hex", hex), ("HEX", hex.uppercased())]
        // Base64 of a part of a longer text begins at one of three places: the characters that do not depend on it.
        for shift in 0..<3 {
            let padded = ByteText.base64([UInt8](repeating: 0, count: shift) + bytes)
            let inner = padded.drop { $0 == "A" }.dropFirst(2).prefix(while: { $0 != "=" }).dropLast(2)
            all.append(("base64", String(inner)))
            all.append(
                ("base64url", inner.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")))
        }
        return all.map { ($0.0, Data($0.1.utf8)) }
    }

    @Test func `the spellings find what they must`() {
        for shift in 0..<3 {
            let hidden = Data(
                ByteText.base64(Array(String(repeating: "x", count: shift).utf8) + Array("123456789018 and".utf8)).utf8)
            #expect(spellings("123456789018").contains { hidden.range(of: $0.1) != nil }, "\(shift)")
        }
    }

    @Test func `N10 a マイナンバー that arrives reaches no store, log, answer or error, and is counted`() async throws {
        let gateway = try RunningGateway(settings: [(#"  routes: ["#, "  logging: { level: \"debug\" },\n  routes: [")])
        try await gateway.start()
        let (id, submission) = try await gateway.presented(["--fault", "individual_number"])
        var answers = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission).text
        for path in ["/v1/sessions/\(id)", "/v1/sessions/\(id)/verified-claims", "/metrics", "/readyz"] {
            answers += try await gateway.call("GET", path).text
        }
        answers += try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission).text
        #expect(answers.contains(#"sekisho_incidents{incident="individual_number_received"} 1"#))
        _ = try await gateway.stop()
        let traces = try gateway.traces() + [("answers", Data(answers.utf8))]
        #expect(traces.count >= 3)
        for (spelling, needle) in spellings(Self.individualNumber) {
            for (name, bytes) in traces { #expect(bytes.range(of: needle) == nil, "\(spelling) in \(name)") }
        }
    }

    @Test func `no claim, reference, blob or key stands in store or log, in any spelling`() async throws {
        let gateway = try RunningGateway(settings: [(#"  routes: ["#, "  logging: { level: \"debug\" },\n  routes: [")])
        try await gateway.start()
        let reference = "canary-reference-5521"
        let (id, submission) = try await gateway.presented(
            body: #"{"purpose":"account-opening","reference":"\#(reference)"}"#)
        let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        try #require(answer.sessionStatus == "verified")
        let result = try #require(answer.json["result"] as? [String: Any])
        let claims = try #require(result["claims"] as? [String: Any])
        let address = try #require((claims["address"] as? [String: Any])?["formatted"] as? String)
        let document = try #require(result["document"] as? [String: Any])
        let blob = try #require(
            (try JSONSerialization.jsonObject(with: Data(submission.utf8)) as? [String: Any])?["encrypted_data"]
                as? String)
        let needles: [String] = [
            try #require(claims["name"] as? String), address, try #require(claims["birthdate"] as? String), reference,
            try #require(document["mso_digest"] as? String), String(blob.suffix(64)), "demo-app-key",
        ]
        let traces = try gateway.traces()
        #expect(traces.contains { $0.name.hasPrefix("sekisho.sqlite3") })
        for needle in needles {
            for (spelling, bytes) in spellings(needle) {
                for (name, trace) in traces {
                    #expect(trace.range(of: bytes) == nil, "\(needle) \(spelling) in \(name)")
                }
            }
        }
        let digest = try #require(ByteText.bytes(hex: needles[4]))
        for (name, trace) in traces { #expect(trace.range(of: Data(digest)) == nil, "raw digest in \(name)") }
        // The wire carries them, so the needles are real.
        #expect(answer.text.contains(needles[0]) && answer.text.contains(reference))
        let erased = try await gateway.call("DELETE", "/v1/sessions/\(id)")
        #expect(erased.status == 204)
        let after = try await gateway.call("GET", "/v1/sessions/\(id)")
        for needle in needles.dropLast() { #expect(!after.text.contains(needle), "\(needle)") }
        _ = try await gateway.stop()
        #expect(try gateway.sql("SELECT count(*) FROM ledger") == "2")
    }
}
