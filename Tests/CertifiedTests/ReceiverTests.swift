import Cryptography
import HTTPClient
import Testing
import VerificationCore
import WebhookSignatures

@testable import Certified

@Suite struct ReceiverTests {
    private static let now = Timestamp(seconds: 1_796_029_200)
    private static let old = "old-secret-of-the-webhooks"
    private static let new = "new-secret-of-the-webhooks"
    private static let body = #"{"id":"evt_1","data":{"verification":"ver_9","status":"approved"}}"#
    private static let provider = FakeProvider { _ in .failure(OutboundFailure(.closed, wasSent: false)) }

    private func declaration(
        _ scheme: WebhooksDeclaration.Scheme, credentials: [String] = ["secret"],
        id: WebhooksDeclaration.Place? = nil, reference: String = "/data/verification"
    ) throws -> WebhooksDeclaration {
        WebhooksDeclaration(
            signature: scheme, credentials: credentials, tolerance: .seconds(300), identifier: id,
            reference: try #require(JSONPointer(reference)), result: nil)
    }

    private func receiver(
        _ declaration: WebhooksDeclaration, _ secrets: [String: String] = ["secret": old]
    ) throws -> any NotificationReceiver {
        try NotificationReceivers.open(declaration, access: .example(Self.provider, credentials: secrets))
    }

    private func received(
        _ receiver: any NotificationReceiver, _ headers: [(name: String, value: String)], body: String = body,
        at now: Timestamp = now
    ) -> Result<Notice, NotificationError> {
        do throws(NotificationError) {
            return .success(
                try receiver.receive(Notification(headers: headers, body: Sensitive(Array(body.utf8))), at: now))
        } catch { return .failure(error) }
    }

    private func error(_ result: Result<Notice, NotificationError>) -> NotificationError? {
        if case .failure(let error) = result { error } else { nil }
    }

    private static let timestamped = TimestampedSignature(header: "Persona-Signature")
    private static let plain = WebhooksDeclaration.HMAC(
        header: "X-Sig", prefix: "", encoding: .hex, parts: [.body], timestampHeader: nil, timestampForm: .epochSeconds)

    private static func secrets(_ texts: String...) -> WebhookSecrets {
        WebhookSecrets(texts.compactMap { WebhookSecret(bytes: Array($0.utf8)) })!
    }

    @Test func `P13 a genuine notification is a notice with its reference; an altered one is nothing`() throws {
        let receiver = try receiver(try declaration(.timestamped(header: "Persona-Signature")))
        let header = Self.timestamped.header(at: Self.now, body: Array(Self.body.utf8), secrets: Self.secrets(Self.old))
        let notice = try received(receiver, [header]).get()
        #expect(notice.providerReference == "ver_9")
        #expect(notice.id == ByteText.hex(Hash.sha256(Array(Self.body.utf8))))
        #expect(notice.body.withValue { $0 } == Array(Self.body.utf8))
        for altered in [
            Self.body.replacing("ver_9", with: "ver_8"), Self.body.replacing("approved", with: "declined"),
            #"{"data":{"status":"approved","verification":"ver_9"},"id":"evt_1"}"#, Self.body + " ", "", "{}",
        ] {
            #expect(error(received(receiver, [header], body: altered)) == .signatureInvalid, "\(altered)")
        }
        #expect(error(received(receiver, [])) == .signatureInvalid)
        #expect(error(received(receiver, [header, header])) == .signatureInvalid)
        #expect(error(received(receiver, [("PERSONA-SIGNATURE", header.value)])) == nil)
        #expect(error(received(receiver, [("X-Other", header.value)])) == .signatureInvalid)
    }

    @Test func `P13 an old notification, and one from the future, are outside, and only where they are genuine`() throws
    {
        let receiver = try receiver(try declaration(.timestamped(header: "Persona-Signature")))
        for (offset, expected) in [
            (0, nil), (300, nil), (-300, nil), (301, .outsideTolerance), (-301, .outsideTolerance),
            (-817_750_000, .outsideTolerance),
        ] as [(Int64, NotificationError?)] {
            let time = Timestamp(milliseconds: Self.now.milliseconds + offset * 1000)
            let header = Self.timestamped.header(at: time, body: Array(Self.body.utf8), secrets: Self.secrets(Self.old))
            #expect(error(received(receiver, [header])) == expected, "\(offset)")
            let forged = Self.timestamped.header(at: time, body: Array(Self.body.utf8), secrets: Self.secrets(Self.new))
            #expect(error(received(receiver, [forged])) == .signatureInvalid, "\(offset)")
        }
    }

    @Test func `P13 two secrets are good while one replaces the other`() throws {
        let body = Array(Self.body.utf8)
        let scheme = BodySignature(header: "X-Sig", encoding: .hex)
        for (credentials, signer, expected) in [
            (["new", "old"], Self.secrets(Self.old), nil), (["new", "old"], Self.secrets(Self.new), nil),
            (["new", "old"], Self.secrets(Self.new, Self.old), nil), (["new"], Self.secrets(Self.new, Self.old), nil),
            (["new"], Self.secrets(Self.old), .signatureInvalid),
            (["new", "old"], Self.secrets("a secret of nobody here"), .signatureInvalid),
        ] as [([String], WebhookSecrets, NotificationError?)] {
            let receiver = try receiver(
                try declaration(.hmac(Self.plain), credentials: credentials), ["old": Self.old, "new": Self.new])
            #expect(error(received(receiver, [scheme.header(body: body, secrets: signer)])) == expected)
        }
    }

    @Test func `Standard Webhooks give their signed identifier`() throws {
        let text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let secrets = try #require(
            WebhookSecret(standard: Array(text.utf8)).flatMap { WebhookSecrets([$0]) })
        let signed = try #require(
            StandardWebhooks().headers(id: "msg_7", at: Self.now, body: Array(Self.body.utf8), secrets: secrets))
        for place in [nil, WebhooksDeclaration.Place.header("Webhook-Id")] {
            let receiver = try receiver(try declaration(.standard, id: place), ["secret": text])
            #expect(try received(receiver, signed).get().id == "msg_7")
            let altered = signed.map { $0.name == "webhook-id" ? ($0.name, "msg_8") : $0 }
            #expect(error(received(receiver, altered)) == .signatureInvalid)
            #expect(error(received(receiver, signed + [("Webhook-Id", "msg_7")])) == .signatureInvalid)
        }
        let inBody = try receiver(
            try declaration(.standard, id: .body(try #require(JSONPointer("/id")))), ["secret": text])
        #expect(try received(inBody, signed).get().id == "evt_1")
    }

    @Test func `P13 an identifier outside the signature cannot pass for that of another notification`() throws {
        let receiver = try receiver(try declaration(.hmac(Self.plain), id: .header("X-Event-Id")))
        let scheme = BodySignature(header: "X-Sig", encoding: .hex)
        func notice(_ id: String, _ body: String) throws -> Notice {
            let header = scheme.header(body: Array(body.utf8), secrets: Self.secrets(Self.old))
            return try received(receiver, [header, ("X-Event-Id", id)], body: body).get()
        }
        let other = Self.body.replacing("approved", with: "declined")
        let first = try notice("evt_1", Self.body)
        #expect(try notice("evt_1", Self.body).id == first.id, "a repeat is known")
        #expect(try notice("evt_2", Self.body).id != first.id)
        #expect(try notice("evt_1", other).id != first.id, "what was caught and sent again hides nothing")
        let header = scheme.header(body: Array(Self.body.utf8), secrets: Self.secrets(Self.old))
        #expect(error(received(receiver, [header])) == .malformed)
        #expect(error(received(receiver, [header, ("X-Event-Id", "a"), ("x-event-id", "a")])) == .malformed)
    }

    @Test func `P13 an HMAC over time and body, in each form of time and code`() throws {
        let body = Array(Self.body.utf8)
        for (form, text) in [
            (TimeForm.epochSeconds, "1796029200"), (.epochMilliseconds, "1796029200000"),
            (.rfc3339, "2026-11-30T09:00:00Z"),
        ] {
            for (encoding, written) in [
                (SignatureDeclaration.Encoding.hex, BodySignature.Encoding.hex), (.base64, .base64),
                (.base64URL, .base64),
            ] {
                let receiver = try receiver(
                    try declaration(
                        .hmac(
                            WebhooksDeclaration.HMAC(
                                header: "X-Sig", prefix: "sha256=", encoding: encoding,
                                parts: [.timestamp, .text(":"), .body], timestampHeader: "X-Time",
                                timestampForm: form))))
                let scheme = BodySignature(header: "X-Sig", encoding: written, prefix: "sha256=")
                let parts = [Array((text + ":").utf8)[...], body[...]]
                let header = scheme.header(parts: parts, secrets: Self.secrets(Self.old))
                #expect(error(received(receiver, [header, ("X-Time", text)])) == nil)
                #expect(error(received(receiver, [header])) == .signatureInvalid)
                #expect(error(received(receiver, [header, ("X-Time", text + "0")])) == .signatureInvalid)
                #expect(error(received(receiver, [header, ("X-Time", "")])) == .signatureInvalid)
                #expect(
                    error(received(receiver, [header, ("X-Time", text)], at: Timestamp(seconds: 1_796_029_501)))
                        == .outsideTolerance)
                #expect(
                    error(received(receiver, [header, ("X-Time", text)], at: Timestamp(seconds: 1_796_028_899)))
                        == .outsideTolerance)
            }
        }
    }

    static let bodies: [(String, NotificationError?)] = [
        (#"{"data":{"verification":"ver_9"}}"#, nil), (#"{"data":{"verification":42}}"#, nil),
        (#"{"data":{"verification":""}}"#, .malformed), (#"{"data":{"verification":null}}"#, .malformed),
        (#"{"data":{"verification":["ver_9"]}}"#, .malformed), (#"{"data":{"verification":1.5}}"#, .malformed),
        (#"{"data":{}}"#, .malformed), ("[]", .malformed), ("", .malformed), ("<xml/>", .malformed),
        (#"{"data":{"verification":"ver_9"}"#, .malformed), (#"{"data":{"verification":"ver_9"}}x"#, .malformed),
        (#"{"data":{"verification":"ver_9","verification":"ver_8"}}"#, .malformed),
        (#"{"data":{"verification":"ver_9"},"d\u0061ta":{"verification":"ver_8"}}"#, .malformed),
        (#"{"data":{"verification":"\#(String(repeating: "r", count: 257))"}}"#, .malformed),
        ("\u{FEFF}" + #"{"data":{"verification":"ver_9"}}"#, .malformed),
        (String(repeating: "[", count: 40_000), .malformed),
    ]

    @Test(arguments: bodies)
    func `P17 an authentic body that is not what the manifest describes is malformed`(
        body: String, expected: NotificationError?
    ) throws {
        let receiver = try receiver(try declaration(.hmac(Self.plain)))
        let header = BodySignature(header: "X-Sig", encoding: .hex).header(
            body: Array(body.utf8), secrets: Self.secrets(Self.old))
        #expect(error(received(receiver, [header], body: body)) == expected)
        #expect(error(received(receiver, [("X-Sig", "00")], body: body)) == .signatureInvalid)
    }

    @Test func `F05 a secret that is none is named by its credential, and shown to nobody`() throws {
        for (scheme, secret, word) in [
            (WebhooksDeclaration.Scheme.standard, "canary", "Standard Webhooks"),
            (.standard, "whsec_canary", "Standard Webhooks"), (.hmac(Self.plain), "canary", "16 to 1024"),
            (.timestamped(header: "S"), "canary", "16 to 1024"),
        ] {
            let problem = #expect(throws: CredentialProblem.self) {
                _ = try receiver(try declaration(scheme), ["secret": secret])
            }
            #expect(problem?.credential == "secret" && problem?.problem.contains(word) == true)
            #expect(problem.map { "\($0)".contains("canary") } == false)
        }
        let missing = #expect(throws: CredentialProblem.self) { _ = try receiver(try declaration(.standard), [:]) }
        #expect(missing?.problem == "is missing")
        let none = #expect(throws: CredentialProblem.self) {
            _ = try receiver(try declaration(.hmac(Self.plain), credentials: []))
        }
        #expect(none != nil)
    }
}
