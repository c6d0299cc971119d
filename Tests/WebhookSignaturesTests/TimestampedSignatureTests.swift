import Testing
import VerificationCore
import WebhookSignatures

/// The codes were computed by Python's hmac and by `openssl dgst -sha256 -hmac`.
@Suite struct TimestampedSignatureTests {
    private let scheme = TimestampedSignature(header: "Provider-Signature")
    private static let time = Timestamp(seconds: 1_492_774_577)
    private static let body = Array(#"{"id":"evt_1"}"#.utf8)
    private static let old = "799c4ba7bb339f3c8601adfd112f0e477c930a268be1243d341abb8286501c2f"
    private static let new = "1541f1180ed590268359622b08ac8c429a5b4a7496d361ce06070e9d6c9cd399"
    /// By the new secret, a second later.
    private static let later = "08b44ffb5880f521df73d4d18e8f0df24a36f8f4bae008003acf756c321b99f8"

    private func error(
        _ value: String, body: [UInt8] = body, secrets: WebhookSecrets, at now: Timestamp = time
    ) -> WebhookError? {
        Scene.error { () throws(WebhookError) in
            _ = try scheme.verify(
                WebhookHeaders([("provider-signature", value)]), body: body, secrets: secrets, at: now)
        }
    }

    private func both() throws -> WebhookSecrets {
        try #require(Scene.plain("whsec_test_secret", "wbhsec_rotated_secret"))
    }

    static let values: [(String, WebhookError?)] = [
        ("t=1492774577,v1=\(old)", nil), ("t=1492774577,v1=\(new)", nil), ("t=1492774577, v1=\(old)", nil),
        ("t=1492774577,v1=\(old.uppercased())", nil), ("t=1492774577,v0=\(new),v1=\(old)", nil),
        ("t=1492774577,v1=\(new),v1=\(old)", nil), ("t=1492774577,v1=00,v1=\(old)", nil),
        ("t=1492774577,v1=zz,v1=\(old)", nil),
        ("t=1492774577,v1=\(old) t=1492774578,v1=\(later)", nil),
        ("t=1492774577,v1=\(later) t=1492774578,v1=\(old)", .signatureMismatch),
        ("t=1492774577,v0=\(old)", .signatureMismatch), ("t=1492774577,v1=", .signatureMismatch),
        ("t=1492774577", .signatureMismatch), ("t=1492774577,v1=\(old.dropLast(2))", .signatureMismatch),
        ("t=1492774577,v1=\(old)00", .signatureMismatch), ("t=1492774576,v1=\(old)", .signatureMismatch),
        ("v1=\(old),t=1492774577", .headerMalformed), ("v1=\(old)", .headerMalformed), ("v0=1", .headerMalformed),
        ("t=1492774577;v1=\(old)", .timestampMalformed), (old, .headerMalformed), (",", .headerMalformed),
        ("t=,v1=\(old)", .timestampMalformed), ("t=-5,v1=\(old)", .timestampMalformed),
        ("t=1492774577.0,v1=\(old)", .timestampMalformed), ("t=1492774577000,v1=\(old)", .timestampMalformed),
        ("", .headerMissing), ("t=1,t=2,t=3,t=4,t=1492774577,v1=\(old)", .headerMalformed),
        ("t=1492774577,v1=\(old)" + String(repeating: ",v0=1", count: 15), .headerMalformed),
    ]

    @Test(arguments: values)
    func `P13 every spelling is judged by its rule`(value: String, expected: WebhookError?) throws {
        #expect(error(value, secrets: try both()) == expected)
    }

    @Test func `P13 a signature from 2001 is not accepted, nor one from tomorrow`() throws {
        let secrets = try both()
        let signed = scheme.header(at: Timestamp(seconds: 978_307_200), body: Self.body, secrets: secrets)
        #expect(error(signed.value, secrets: secrets) == .outsideTolerance)
        #expect(error(signed.value, secrets: secrets, at: Timestamp(seconds: 978_307_200)) == nil)
        for (offset, expected) in [
            (300, nil), (-300, nil), (301, WebhookError.outsideTolerance), (-301, .outsideTolerance),
            (86_400, .outsideTolerance), (-86_400, .outsideTolerance),
        ] as [(Int64, WebhookError?)] {
            let signed = scheme.header(at: Self.time.plus(offset), body: Self.body, secrets: secrets)
            #expect(error(signed.value, secrets: secrets) == expected, "\(offset)")
        }
    }

    @Test func `P13 an old pair beside a fresh one takes nothing from it, and lends it nothing`() throws {
        let secrets = try both()
        let ancient = scheme.header(at: Timestamp(seconds: 978_307_200), body: Self.body, secrets: secrets).value
        #expect(error(ancient + " t=1492774577,v1=\(Self.old)", secrets: secrets) == nil)
        #expect(error(ancient + " t=1492774577,v1=00", secrets: secrets) == .outsideTolerance)
    }

    @Test func `P13 only the secrets of the day are good`() throws {
        let value = "t=1492774577,v1=\(Self.old)"
        #expect(error(value, secrets: try #require(Scene.plain("wbhsec_rotated_secret"))) == .signatureMismatch)
        #expect(error(value, secrets: try #require(Scene.plain("whsec_test_secret"))) == nil)
        let signed = scheme.header(at: Self.time, body: Self.body, secrets: try both())
        #expect(signed.value == "t=1492774577,v1=\(Self.old),v1=\(Self.new)")
    }

    @Test func `P13 the body counts byte for byte`() throws {
        let value = "t=1492774577,v1=\(Self.old)"
        for text in [#"{"id": "evt_1"}"#, #"{"id":"evt_2"}"#, #"{"id":"evt_1"}"# + "\n", "", #"{"\u0069d":"evt_1"}"#] {
            #expect(error(value, body: Array(text.utf8), secrets: try both()) == .signatureMismatch, "\(text)")
        }
    }

    @Test func `P13 the header twice is refused, even with the same value`() throws {
        let field = (name: "provider-signature", value: "t=1492774577,v1=\(Self.old)")
        let secrets = try both()
        let error = Scene.error { () throws(WebhookError) in
            _ = try scheme.verify(
                WebhookHeaders([field, ("PROVIDER-SIGNATURE", field.value)]), body: Self.body, secrets: secrets,
                at: Self.time)
        }
        #expect(error == .headerDuplicated)
    }
}
