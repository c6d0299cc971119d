import HTTPClient
import Testing
import VerificationCore
import WebhookSignatures

@testable import Certified

/// Whoever can reach the webhooks' address, caught genuine notifications, and has no secret: against the manifest of the
/// sandbox's provider that calls back.
@Suite struct NoticeAdversaryTests {
    private static let genuine =
        #"{"type":"check.done","data":{"check":{"id":"chk_1","externalRef":"att_1","phase":"DONE","decision":"PASS"},"#
        + #""person":{"name":{"full":"山田　太郎"}},"document":{"kind":"wallet/jp-mnc"}}}"#
    private static let body = Array(genuine.utf8)

    private func rig() throws -> AdversaryRig {
        try .gamma(FakeProvider { _ in .failure(OutboundFailure(.closed, wasSent: false)) })
    }

    private func isVerified(_ conclusion: Conclusion?) -> Bool {
        if case .verdict(.verified, _, _)? = conclusion { true } else { false }
    }

    /// The same JSON to every reader of JSON, in other bytes.
    static let rewritten: [String] = [
        genuine + "\n", " " + genuine, "\u{FEFF}" + genuine, genuine.replacing(":", with: ": "),
        genuine.replacing("PASS", with: #"\u0050ASS"#), genuine.replacing("chk_1", with: #"chk\u005f1"#),
        genuine.replacing("山", with: #"\u5c71"#), genuine.replacing("/", with: #"\/"#),
        genuine.replacing("\u{3000}", with: " "), genuine.replacing(#""type":"check.done","#, with: ""),
        genuine.replacing(#"{"type":"check.done","#, with: #"{"type":"check.done","type":"check.done","#),
        String(genuine.dropLast()) + ",\"x\":1}", "[" + genuine + "]",
    ]

    @Test(arguments: rewritten)
    func `P13 JSON that was written again is not what was signed`(text: String) throws {
        let rig = try rig()
        let headers = try AdversaryRig.signed(Self.body)
        #expect(rig.error(headers, Self.body) == nil)
        #expect(Array(text.utf8) != Self.body)
        #expect(rig.error(headers, Array(text.utf8)) == .signatureInvalid)
    }

    @Test func `P13 no byte of body, identifier, time or signature can be another one`() throws {
        let rig = try rig()
        let headers = try AdversaryRig.signed(Self.body)
        for place in Self.body.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80] {
                var altered = Self.body
                altered[place] ^= mask
                #expect(rig.error(headers, altered) == .signatureInvalid, "\(place)")
            }
        }
        for field in headers.indices {
            let bytes = Array(headers[field].value.utf8)
            for place in bytes.indices {
                for mask: UInt8 in [0x01, 0x02, 0x20] {
                    var altered = bytes
                    altered[place] ^= mask
                    var fields = headers
                    fields[field].value = String(decoding: altered, as: UTF8.self)
                    #expect(rig.error(fields, Self.body) != nil, "\(headers[field].name) \(place) \(mask)")
                }
            }
        }
    }

    @Test func `P13 the names of headers have no case, and two of one name are refused in any`() throws {
        let rig = try rig()
        let headers = try AdversaryRig.signed(Self.body)
        let cases: [(String) -> String] = [
            { $0.uppercased() }, { $0.prefix(1).uppercased() + $0.dropFirst() },
            {
                String(
                    $0.enumerated().map {
                        $0.offset.isMultiple(of: 2) ? Character($0.element.uppercased()) : $0.element
                    })
            },
        ]
        for change in cases {
            let changed = headers.map { (name: change($0.name), value: $0.value) }
            #expect(rig.error(changed, Self.body) == nil)
            for field in changed {
                #expect(rig.error(headers + [field], Self.body) == .signatureInvalid)
                #expect(rig.error([(field.name, "")] + headers, Self.body) == .signatureInvalid)
            }
        }
        for name in ["webhook_signature", "webhook-signature ", "x-webhook-signature", "webhook‑signature"] {
            let renamed = headers.dropLast() + [(name: name, value: headers[2].value)]
            #expect(rig.error(Array(renamed), Self.body) == .signatureInvalid, "\(name)")
        }
    }

    @Test func `P13 huge headers, and a great many, are refused without a signature being looked at`() throws {
        let rig = try rig()
        let headers = try AdversaryRig.signed(Self.body)
        let padding = String(repeating: "v1,AAAA ", count: 1 << 17)
        for field in headers.indices {
            var fields = headers
            fields[field].value = padding + fields[field].value
            #expect(rig.error(fields, Self.body) == .signatureInvalid)
            fields[field].value = headers[field].value + String(repeating: "0", count: 1 << 20)
            #expect(rig.error(fields, Self.body) == .signatureInvalid)
        }
        var many = headers
        for number in 0..<20_000 { many.append(("x-\(number)", "webhook-signature")) }
        #expect(rig.error(many, Self.body) == nil, "what others may have added takes nothing from it")
        let entries = String(repeating: "v1,\(ByteText.base64([UInt8](repeating: 0, count: 32))) ", count: 16)
        var crowded = headers
        crowded[2].value = entries + crowded[2].value
        #expect(rig.error(crowded, Self.body) == .signatureInvalid)
    }

    @Test func `P13 a replay within the tolerance is known by its identifier, outside it is nothing`() throws {
        let rig = try rig()
        let headers = try AdversaryRig.signed(Self.body, id: "msg_7")
        for (milliseconds, expected) in [
            (0, nil), (1, nil), (-1, nil), (300_000, nil), (-300_000, nil), (300_001, .outsideTolerance),
            (-300_001, .outsideTolerance), (86_400_000, .outsideTolerance), (-86_400_000, .outsideTolerance),
        ] as [(Int64, NotificationError?)] {
            let now = Timestamp(milliseconds: AdversaryRig.now.milliseconds + milliseconds)
            #expect(rig.error(headers, Self.body, at: now) == expected, "\(milliseconds)")
            if expected == nil { #expect(try rig.received(headers, Self.body, at: now).get().id == "msg_7") }
        }
        var later = headers
        later[1].value = String(AdversaryRig.now.milliseconds / 1000 + 600)
        #expect(rig.error(later, Self.body, at: Timestamp(seconds: 1_796_029_800)) == .signatureInvalid)
        var renamed = headers
        renamed[0].value = "msg_8"
        #expect(rig.error(renamed, Self.body) == .signatureInvalid, "a replay cannot take another identifier")
    }

    @Test func `P13 a signature of the same secret by another scheme is none`() throws {
        let rig = try rig()
        let headers = try AdversaryRig.signed(Self.body)
        let bytes = try #require(ByteText.bytes(base64: AdversaryRig.secret.dropFirst(6)))
        let secrets = try #require(WebhookSecret(bytes: bytes).flatMap { WebhookSecrets([$0]) })
        let plain = BodySignature(header: "webhook-signature", encoding: .base64, prefix: "v1,")
        let stripe = TimestampedSignature(header: "webhook-signature")
        for field in [
            plain.header(body: Self.body, secrets: secrets),
            stripe.header(at: AdversaryRig.now, body: Self.body, secrets: secrets),
        ] {
            #expect(rig.error(headers.dropLast() + [field], Self.body) == .signatureInvalid)
        }
    }

    @Test func `P16 A's notice concludes A, late or not, and B never`() async throws {
        let rig = try rig()
        let first = try await rig.begun("att_1", reference: "chk_1")
        let second = try await rig.begun("att_2", reference: "chk_2")
        let notice = try rig.received(try AdversaryRig.signed(Self.body), Self.body).get()
        #expect(notice.providerReference == "chk_1")
        let conclusion = try rig.verifier.conclude(notice, for: first, in: AdversaryRig.attempt("att_1"))
        #expect(isVerified(conclusion))
        let repeated = try rig.verifier.conclude(notice, for: first, in: AdversaryRig.attempt("att_1"))
        #expect(isVerified(repeated), "a verifier keeps no state; the gateway knows the repeat")
        #expect(throws: VerificationError(.providerProtocolError, "")) {
            try rig.verifier.conclude(notice, for: second, in: AdversaryRig.attempt("att_2"))
        }
        // The reference alone does not do: what the answer must repeat is the attempt's.
        let borrowed = try await rig.begun("att_2", reference: "chk_1")
        #expect(throws: VerificationError(.providerProtocolError, "")) {
            try rig.verifier.conclude(notice, for: borrowed, in: AdversaryRig.attempt("att_2"))
        }
        let without = try await rig.begun("att_1")
        #expect(throws: VerificationError(.providerProtocolError, "")) {
            try rig.verifier.conclude(notice, for: without, in: AdversaryRig.attempt("att_1"))
        }
    }

    /// What a genuine provider could write that is no verdict.
    static let strange: [String] = [
        #""decision":"pass""#, #""decision":"PASS ""#, #""decision":["PASS"]"#, #""decision":true"#,
        #""decision":null"#,
        #""decision":{"PASS":1}"#, #""decision":"ＰＡＳＳ""#, #""decision":"PASS\u0000""#, #""decision":1"#, #""x":1"#,
        #""decision":"FAIL""#, #""decision":"FAIL","findings":[]"#, #""decision":"FAIL","findings":["4444"]"#,
        #""decision":"FAIL","findings":[{"code":4100}]"#, #""decision":"FAIL","findings":[null]"#,
    ]

    @Test(arguments: strange)
    func `P17 a genuine notice with a word that the manifest does not name is an error, never a verdict`(
        words: String
    ) async throws {
        let rig = try rig()
        let challenge = try await rig.begun("att_1", reference: "chk_1")
        let body = Array(Self.genuine.replacing(#""decision":"PASS""#, with: words).utf8)
        let notice = try rig.received(try AdversaryRig.signed(body), body).get()
        let error = #expect(throws: VerificationError.self) {
            try rig.verifier.conclude(notice, for: challenge, in: AdversaryRig.attempt("att_1"))
        }
        #expect(error?.code == .providerProtocolError)
    }

    @Test func `P13 a notice that was received shows nothing of the person`() throws {
        let rig = try rig()
        let notice = try rig.received(try AdversaryRig.signed(Self.body), Self.body).get()
        var dumped = ""
        dump(notice, to: &dumped)
        #expect(!dumped.contains("山田") && !"\(notice)".contains("太郎") && !dumped.contains("PASS"))
    }
}
