import Testing
import VerificationCore
import WebhookSignatures

@Suite struct StandardWebhooksTests {
    private let scheme = StandardWebhooks()
    private static let old = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let new = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private static let time = Timestamp(seconds: 1_614_265_330)
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let published = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    private func headers(
        id: String = id, timestamp: String = "1614265330", signature: String = published
    ) -> [(name: String, value: String)] {
        [("webhook-id", id), ("webhook-timestamp", timestamp), ("webhook-signature", signature)]
    }

    private func error(
        _ headers: [(name: String, value: String)], body: [UInt8] = body, secrets: WebhookSecrets,
        at now: Timestamp = time, tolerance: Duration = SignedTime.standardTolerance
    ) -> WebhookError? {
        Scene.error { () throws(WebhookError) in
            _ = try scheme.verify(
                WebhookHeaders(headers), body: body, secrets: secrets, at: now, tolerance: tolerance)
        }
    }

    @Test func `the published example is signed, and verified, as published`() throws {
        let secrets = try #require(Scene.standard(Self.old))
        let signed = try #require(scheme.headers(id: Self.id, at: Self.time, body: Self.body, secrets: secrets))
        #expect(signed.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(signed.map(\.value) == [Self.id, "1614265330", Self.published])
        let said = try scheme.verify(WebhookHeaders(headers()), body: Self.body, secrets: secrets, at: Self.time)
        #expect(said.id == Self.id && said.time == Self.time)
    }

    @Test func `what the reference library in Python signed over Japanese text is signed alike`() throws {
        let body = Array(#"{"氏名":"髙橋","ok":true}"#.utf8)
        let secrets = try #require(Scene.standard(Self.new))
        let signed = try #require(scheme.headers(id: "msg_2", at: Scene.now, body: body, secrets: secrets))
        #expect(signed[1].value == "1796029200")
        #expect(signed[2].value == "v1,AFj42L8aKv2y80z8D3v29+HDkc8FlGgNUCKPlFxhroY=")
        let said = try scheme.verify(WebhookHeaders(signed), body: body, secrets: secrets, at: Scene.now.plus(1))
        #expect(said.id == "msg_2")
    }

    @Test func `P13 during a rotation the old and the new secret are both good, afterwards the old one is not`() throws
    {
        let before = try #require(Scene.standard(Self.old))
        let during = try #require(Scene.standard(Self.new, Self.old))
        let after = try #require(Scene.standard(Self.new))
        func signed(_ secrets: WebhookSecrets) throws -> [(name: String, value: String)] {
            try #require(scheme.headers(id: "msg_3", at: Self.time, body: Self.body, secrets: secrets))
        }
        #expect(try signed(during)[2].value.split(separator: " ").count == 2)
        for sender in [before, during, after] {
            #expect(error(try signed(sender), secrets: during) == nil)
        }
        #expect(error(try signed(during), secrets: before) == nil)
        #expect(error(try signed(during), secrets: after) == nil)
        #expect(error(try signed(before), secrets: after) == .signatureMismatch)
        #expect(error(try signed(after), secrets: before) == .signatureMismatch)
    }

    @Test func `P13 the tolerance holds both ways, to the millisecond`() throws {
        let secrets = try #require(Scene.standard(Self.old))
        let cases: [(Timestamp, WebhookError?)] = [
            (Self.time.plus(300), nil), (Self.time.plus(-300), nil),
            (Self.time.plus(300, milliseconds: 1), .outsideTolerance),
            (Self.time.plus(-300, milliseconds: -1), .outsideTolerance),
            (Self.time.plus(790_000_000), .outsideTolerance), (Timestamp(milliseconds: .max), .outsideTolerance),
            (Timestamp(milliseconds: .min), .outsideTolerance),
        ]
        for (now, expected) in cases {
            #expect(error(headers(), secrets: secrets, at: now) == expected, "\(now.milliseconds)")
        }
        #expect(error(headers(), secrets: secrets, at: Self.time.plus(1), tolerance: .zero) == .outsideTolerance)
        #expect(error(headers(), secrets: secrets, at: Self.time, tolerance: .zero) == nil)
    }

    @Test func `P13 one altered bit of body, identifier or time is no signature`() throws {
        let secrets = try #require(Scene.standard(Self.old))
        for place in Self.body.indices {
            for bit in 0..<8 {
                var altered = Self.body
                altered[place] ^= 1 << UInt8(bit)
                #expect(error(headers(), body: altered, secrets: secrets) == .signatureMismatch)
            }
        }
        #expect(error(headers(), body: Self.body + [0x0A], secrets: secrets) == .signatureMismatch)
        #expect(error(headers(), body: [], secrets: secrets) == .signatureMismatch)
        #expect(
            error(headers(), body: Array(#"{"test":2432232314}"#.utf8), secrets: secrets) == .signatureMismatch,
            "the same JSON, written again")
        #expect(error(headers(id: Self.id + "x"), secrets: secrets) == .signatureMismatch)
        #expect(error(headers(timestamp: "1614265331"), secrets: secrets) == .signatureMismatch)
        // A time that is off is not told to whoever cannot sign.
        #expect(error(headers(timestamp: "978307200"), secrets: secrets) == .signatureMismatch)
    }

    static let timestamps: [(String, WebhookError?)] = [
        ("1614265330", nil), (" 1614265330\t", nil), ("", .headerMissing), ("-1", .timestampMalformed),
        ("+1614265330", .timestampMalformed), ("1614265330.0", .timestampMalformed),
        ("01614265330", .timestampMalformed), ("1e9", .timestampMalformed), ("0x60", .timestampMalformed),
        ("１６１４２６５３３０", .headerMalformed), ("999999999999", .timestampMalformed),
        ("99999999999999999999999999", .timestampMalformed), ("now", .timestampMalformed),
        ("1614265330,1614265330", .timestampMalformed), ("1614265330\u{0}", .headerMalformed),
        ("1614265330000", .timestampMalformed),
    ]

    @Test(arguments: timestamps)
    func `P13 a malformed time is refused before anything is compared`(text: String, expected: WebhookError?) throws {
        let secrets = try #require(Scene.standard(Self.old))
        #expect(error(headers(timestamp: text), secrets: secrets) == expected)
    }

    static let signatures: [(String, WebhookError?)] = [
        (published + " v1,AAAA", nil), ("v1,AAAA " + published, nil), ("v2,AAAA v1a,xx " + published, nil),
        ("  " + published + "  ", nil), (published + " " + published, nil), ("v1,%%% " + published, nil),
        (String(published.dropFirst(3)), .signatureMismatch), ("v2," + published.dropFirst(3), .signatureMismatch),
        ("V1," + published.dropFirst(3), .signatureMismatch), (published.lowercased(), .signatureMismatch),
        (String(published.dropLast(5)), .signatureMismatch), ("v1,", .signatureMismatch), ("v1", .signatureMismatch),
        (published + "," + published, .signatureMismatch), ("", .headerMissing), (" \t", .headerMissing),
        (String(repeating: "v1,AAAA ", count: 16) + published, .headerMalformed),
        (published + " " + String(repeating: "x", count: 4096), .headerMalformed),
        (published + "\u{0}", .headerMalformed), (published + "\r\nx: y", .headerMalformed),
    ]

    @Test(arguments: signatures)
    func `P13 of several entries one right one is enough, and nothing else is`(
        text: String, expected: WebhookError?
    ) throws {
        let secrets = try #require(Scene.standard(Self.old))
        #expect(error(headers(signature: text), secrets: secrets) == expected)
    }

    @Test func `P13 a header that is missing or comes twice is refused, whatever the case of its name`() throws {
        let secrets = try #require(Scene.standard(Self.old))
        for place in 0..<3 {
            var missing = headers()
            let field = missing.remove(at: place)
            #expect(error(missing, secrets: secrets) == .headerMissing)
            for name in [field.name, field.name.uppercased(), "Webhook-" + field.name.dropFirst(8)] {
                #expect(error(missing + [(name, field.value)], secrets: secrets) == nil)
                #expect(error(headers() + [(name, field.value)], secrets: secrets) == .headerDuplicated)
            }
            // The dotless i folds to nothing in ASCII: it is another name.
            #expect(error(missing + [("ıd", field.value)], secrets: secrets) == .headerMissing)
        }
    }

    @Test func `an identifier that could be read in two ways is neither signed nor accepted`() throws {
        let secrets = try #require(Scene.standard(Self.old))
        for id in ["", "a.1", "a b", "é", "a\n", String(repeating: "a", count: 257)] {
            #expect(scheme.headers(id: id, at: Self.time, body: Self.body, secrets: secrets) == nil, "\(id)")
            #expect(error(headers(id: id), secrets: secrets) != nil, "\(id)")
        }
        #expect(scheme.headers(id: "a", at: Timestamp(seconds: -1), body: Self.body, secrets: secrets) == nil)
        let longest = String(repeating: "a", count: 256)
        let signed = try #require(scheme.headers(id: longest, at: Self.time, body: Self.body, secrets: secrets))
        #expect(error(signed, secrets: secrets) == nil)
    }

    @Test func `a sender that uses other names for the headers is read by those alone`() throws {
        let secrets = try #require(Scene.standard(Self.old))
        let other = StandardWebhooks(
            idHeader: "svix-id", timestampHeader: "svix-timestamp", signatureHeader: "svix-signature")
        let signed = try #require(other.headers(id: Self.id, at: Self.time, body: Self.body, secrets: secrets))
        #expect(signed.map(\.name) == ["svix-id", "svix-timestamp", "svix-signature"])
        _ = try other.verify(WebhookHeaders(signed), body: Self.body, secrets: secrets, at: Self.time)
        #expect(error(signed, secrets: secrets) == .headerMissing)
    }
}
