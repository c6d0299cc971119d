import Foundation
import TestSupport
import Testing
import VerificationCore

@testable import sekisho

@Suite(.enabled(if: Vectors.available("apple/sample")))
struct VerifyCommandTests {
    static let now = RFC3339.timestamp("2026-11-30T00:00:00Z")!

    static func path(_ file: String) throws -> String {
        try #require(Vectors.root).appendingPathComponent(file).path
    }

    static func sample(_ more: String...) throws -> [String] {
        let parameters = try Vectors.text("apple/sample/session_transcript_parameters.txt")
        let nonce = try #require(parameters.split(separator: "\n").first { $0.hasPrefix("Nonce: ") }?.dropFirst(7))
        return [
            "--envelope", try path("apple/sample/hpke_envelope.cbor"), "--nonce", String(nonce),
            "--merchant-id", "PassKit_Identity_Test_Merchant_ID", "--team-id", "PassKit_Identity_Test_Team_ID",
            "--key", try path("apple/sample/merchant_encryption.key"), "--trust",
            try path("apple/sample/issuer_root.crt"),
        ] + more
    }

    static let at = ["--at", "2022-06-01T00:00:00Z"]

    @Test func `Apple's sample verifies, with all its claims, and the exit status is 0`() throws {
        let outcome = VerifyCommand.execute(try Self.sample() + Self.at + ["--json"], at: Self.now)
        #expect(outcome.exitCode == .verified, "\(outcome.complaints)")
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(Set(json.keys) == ["status", "checks", "reasons", "claims", "document"])
        #expect(json["status"] as? String == "verified")
        let checks = try #require(json["checks"] as? [[String: Any]])
        #expect(checks.compactMap { $0["name"] as? String } == CheckName.inHouse.map(\.rawValue))
        #expect(
            checks.compactMap { $0["status"] as? String }
                == CheckName.inHouse.map { $0 == .revocation ? "not_checked" : "passed" })
        let claims = try #require(json["claims"] as? [String: Any])
        #expect(claims["given_name"] as? String == "Jane")
        #expect(claims["age_in_years"] as? Int == 42)
        #expect(!claims.keys.contains { $0.hasPrefix("age_over_") }, "only what was issued")
        #expect((claims["address"] as? [String: Any])?["locality"] as? String == "Test City")
        let portrait = try #require(claims["portrait"] as? [String: Any])
        #expect(portrait["media_type"] as? String == "image/jpeg")
        let document = try #require(json["document"] as? [String: Any])
        #expect(document["type"] as? String == "org.iso.18013.5.1.mDL")
    }

    @Test func `the table names every check and every claim`() throws {
        let outcome = VerifyCommand.execute(try Self.sample() + Self.at, at: Self.now)
        #expect(outcome.exitCode == .verified)
        for name in CheckName.inHouse.map(\.rawValue) + ["family_name", "birthdate", "status: verified"] {
            #expect(outcome.output.contains(name), "\(name)")
        }
    }

    @Test func `a rejection has exit status 1, its reason, and no claims`() throws {
        // By now the sample's document has run out.
        let outcome = VerifyCommand.execute(try Self.sample("--json"), at: Self.now)
        #expect(outcome.exitCode == .rejected)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(json["status"] as? String == "rejected")
        #expect((json["reasons"] as? [String])?.contains("document_expired") == true)
        #expect((json["claims"] as? [String: Any])?.isEmpty == true)
        #expect(!outcome.output.contains("Jane"))
    }

    @Test func `an answer that is no CBOR is rejected as malformed`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for content in ["00", "hello, gate", "oWE="] {
            try Data(content.utf8).write(to: file)
            var arguments = try Self.sample("--json")
            arguments[1] = file.path
            let outcome = VerifyCommand.execute(arguments, at: Self.now)
            #expect(outcome.exitCode == .rejected)
            #expect(outcome.output.contains("evidence_malformed"))
        }
    }

    @Test func `the same envelope is recognised raw, in hexadecimal and in base64url`() throws {
        let hex = try Vectors.text("apple/sample/hpke_envelope.cbor")
        let raw = try #require(ByteText.bytes(hex: hex))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let forms: [[UInt8]] = [
            raw, Array(hex.utf8), Array((hex.uppercased() + "\n").utf8), Array(ByteText.base64URL(raw).utf8),
            Array((ByteText.base64(raw) + "\r\n").utf8),
        ]
        for form in forms {
            try Data(form).write(to: file)
            var arguments = try Self.sample() + Self.at
            arguments[1] = file.path
            #expect(VerifyCommand.execute(arguments, at: Self.now).exitCode == .verified)
        }
    }

    @Test func `the nonce is taken in hexadecimal and in base64url`() throws {
        var arguments = try Self.sample() + Self.at
        let bytes = try #require(ByteText.bytes(hex: arguments[3]))
        arguments[3] = ByteText.base64URL(bytes)
        #expect(VerifyCommand.execute(arguments, at: Self.now).exitCode == .verified)
        arguments[3] = ByteText.base64URL(bytes.reversed())
        #expect(VerifyCommand.execute(arguments, at: Self.now).exitCode == .rejected)
    }

    @Test func `a DeviceResponse that is already decrypted verifies, without the checks of the envelope`() throws {
        let plaintext = try #require(ByteText.bytes(hex: Vectors.text("apple/sample/plaintext_topics.cbor")))
        // {"identity": …}: the response begins after the map's head and its only key.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(plaintext.dropFirst(1 + 9)).write(to: file)
        let outcome = VerifyCommand.execute(
            [
                "--device-response", file.path, "--transcript", try Self.path("apple/sample/session_transcript.txt"),
                "--trust", try Self.path("apple/sample/issuer_root.crt"), "--json",
            ] + Self.at, at: Self.now)
        #expect(outcome.exitCode == .verified, "\(outcome.complaints)\(outcome.output)")
        #expect(outcome.output.contains(#"{"name":"decryption","status":"not_checked","reason":null}"#))
        #expect(outcome.output.contains(#"{"name":"device_signature","status":"passed","reason":null}"#))
    }

    @Test func `what cannot be judged has exit status 2 and says why`() throws {
        let sample = try Self.sample()
        func complaint(_ arguments: [String]) -> String {
            let outcome = VerifyCommand.execute(arguments, at: Self.now)
            #expect(outcome.exitCode == .couldNotTell)
            #expect(outcome.output.isEmpty)
            return outcome.complaints
        }
        #expect(complaint([]).contains("--envelope"))
        #expect(complaint(sample + ["--frobnicate"]).contains("--frobnicate"))
        #expect(complaint(sample + ["--at", "yesterday"]).contains("--at"))
        #expect(complaint(sample + ["--profile", "strict"]).contains("basic"))
        #expect(complaint(sample + ["--nonce", "00"]).contains("twice"))
        #expect(complaint(Array(sample.dropLast(2))).contains("--trust"))
        #expect(complaint(sample + ["--trust", "/nowhere/at/all"]).contains("/nowhere/at/all"))
        #expect(complaint(sample + ["--key", try Self.path("apple/sample/issuer_root.crt")]).contains("certificate"))
        #expect(complaint(sample + ["--transcript", "x"]).contains("--device-response"))
        #expect(complaint(["--device-response", "x", "--trust", "y"]).contains("--transcript"))
    }
}
