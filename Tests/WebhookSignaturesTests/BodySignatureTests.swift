import Testing
import VerificationCore
import WebhookSignatures

/// The example is GitHub's: "Testing the webhook payload validation".
@Suite struct BodySignatureTests {
    private static let body = Array("Hello, World!".utf8)
    private static let hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    private static let base64 = "dXEH6g6yUJ/CESIczphLijdXC211hsIsRvQ3nIsEPhc="

    private func error(
        _ scheme: BodySignature, _ value: String, body: [UInt8] = body, secrets: WebhookSecrets
    ) -> WebhookError? {
        Scene.error { () throws(WebhookError) in
            try scheme.verify(WebhookHeaders([(scheme.header, value)]), body: body, secrets: secrets)
        }
    }

    private func secrets() throws -> WebhookSecrets { try #require(Scene.plain("It's a Secret to Everybody")) }

    @Test func `GitHub's published example is signed and verified, in hexadecimal and in base64`() throws {
        let prefixed = BodySignature(header: "X-Hub-Signature-256", encoding: .hex, prefix: "sha256=")
        #expect(prefixed.header(body: Self.body, secrets: try secrets()).value == "sha256=" + Self.hex)
        #expect(error(prefixed, "sha256=" + Self.hex, secrets: try secrets()) == nil)
        #expect(error(prefixed, Self.hex, secrets: try secrets()) == .signatureMismatch)
        let plain = BodySignature(header: "X-HMAC-SIGNATURE", encoding: .hex)
        let other = BodySignature(header: "X-Sig", encoding: .base64)
        #expect(other.header(body: Self.body, secrets: try secrets()).value == Self.base64)
        for (scheme, value) in [
            (plain, Self.hex), (plain, Self.hex.uppercased()), (plain, "00, " + Self.hex), (other, Self.base64),
            (other, String(Self.base64.dropLast())), (other, Self.base64.replacing("/", with: "_")),
        ] {
            #expect(error(scheme, value, secrets: try secrets()) == nil, "\(value)")
        }
    }

    @Test func `P13 nothing but the code of these bytes under a secret of the day is accepted`() throws {
        let scheme = BodySignature(header: "X-Sig", encoding: .hex)
        let value = Self.hex
        #expect(error(scheme, value, body: Array("Hello, World".utf8), secrets: try secrets()) == .signatureMismatch)
        #expect(error(scheme, value, secrets: try #require(Scene.plain("another secret, 16+"))) == .signatureMismatch)
        let rotating = try #require(Scene.plain("another secret, 16+", "It's a Secret to Everybody"))
        #expect(error(scheme, value, secrets: rotating) == nil)
        for index in value.indices {
            var altered = value
            altered.replaceSubrange(index...index, with: altered[index] == "0" ? "1" : "0")
            #expect(error(scheme, altered, secrets: try secrets()) == .signatureMismatch)
        }
        for (text, expected) in [
            ("", .headerMissing), (Self.base64, .signatureMismatch), (String(value.dropLast()), .signatureMismatch),
            (value + "00", .signatureMismatch), ("sha256=" + value, .signatureMismatch),
            (String(repeating: "00,", count: 16) + value, .headerMalformed),
            (String(repeating: "0", count: 5000), .headerMalformed),
        ] as [(String, WebhookError)] {
            #expect(error(scheme, text, secrets: try secrets()) == expected, "\(text.prefix(80))")
        }
        let twice = Scene.error { () throws(WebhookError) in
            try scheme.verify(
                WebhookHeaders([("x-sig", value), ("X-SIG", value)]), body: Self.body, secrets: rotating)
        }
        #expect(twice == .headerDuplicated)
    }
}
