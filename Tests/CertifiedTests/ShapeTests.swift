import Foundation
import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// Providers of eight shapes, each by its manifest alone.
@Suite struct ShapeTests {
    @Test func `Connect-shaped: one call verifies, and the request says what the manifest says`() async throws {
        let portrait = ByteText.base64([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])
        let stage = try Stage(
            "pocketsign",
            [
                .json(
                    #"""
                    {"verification": {"id": "ver_9", "externalId": "ses_1", "result": "RESULT_OK",
                      "createTime": "2026-09-21T18:00:00+09:00"},
                     "certificateStatus": {"status": "good"}, "certificate": {"issuer": "J-LIS"},
                     "certificateContent": {"commonName": "山田　花子", "address": "東京都千代田区霞が関一丁目２－３",
                       "dateOfBirth": "19710901", "gender": "2", "faceImage": "\#(portrait)"}}
                    """#)
            ])
        let challenge = try await stage.begun()
        #expect(challenge.nonce.bytes == Stage.nonceBytes)
        #expect(challenge.walletIdentity.merchantIdentifier == "merchant.example")
        let conclusion = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(conclusion.isVerified)
        #expect(
            conclusion.claims == [
                "name": .text("山田　花子"), "address.formatted": .text("東京都千代田区霞が関一丁目２－３"),
                "birthdate": .text("1971-09-01"),
                "portrait": .image(mediaType: "image/jpeg", data: [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]),
            ])
        // Gender was not asked for, and the wallet does not bring it with the rest.
        #expect(conclusion.incidents == [.unrequestedElementReceived])
        #expect(conclusion.report?[.providerVerdict] == .passed)
        #expect(conclusion.report?[.revocation] == .passed)
        #expect(conclusion.report?[.issuerSignature] == .notChecked)
        #expect(conclusion.facts.reference == "ver_9")
        #expect(conclusion.facts.eventTime == RFC3339.timestamp("2026-09-21T09:00:00Z"))
        let seen = try #require(await stage.provider.seen.first)
        #expect(seen.url == "https://verify.example.jp/example.verify.v2.VerificationService/Verify")
        #expect(seen.header("Connect-Protocol-Version") == "1")
        #expect(seen.header("Content-Type") == "application/json")
        // Nothing of idempotency: the request must not be repeated by a library.
        #expect(seen.connection == .fresh)
        #expect(
            seen.body
                == #"{"externalId":"ses_1","card":{"type":"CARD_TYPE_JP_MNC","response":"\#(ByteText.base64(Stage.blob))"},"binding":{"nonce":"\#(ByteText.base64URL(Stage.nonceBytes))","merchantId":"merchant.example","teamId":"TEAM"},"checkRevocation":true}"#
        )
    }

    @Test func `Connect-shaped: a code is a reason, on the check that it belongs to`() async throws {
        let stage = try Stage(
            "pocketsign",
            [
                .json(
                    #"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_NG", "reason": "CERTIFICATE_EXPIRED"}}"#
                )
            ])
        let conclusion = try await stage.verifier.conclude(
            Stage.evidence, for: stage.begun(), in: Stage.attempt())
        #expect(conclusion.isRejected)
        #expect(conclusion.report?.reasons == [.documentExpired])
        #expect(conclusion.report?[.validity] == .failed(.documentExpired))
        #expect(conclusion.report?[.providerVerdict] == .failed(.documentExpired))
    }

    @Test func `Connect-shaped: fetch tells a lost submission from one that never came`() async throws {
        let stage = try Stage(
            "pocketsign",
            [
                .json(#"{"code": "not_found"}"#, 404),
                .json(#"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_NG"}}"#),
                .json(#"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_OK"}}"#),
            ])
        let challenge = try await stage.begun()
        guard case .neverReceived = try await stage.verifier.fetch(challenge, in: Stage.attempt("fetch:1")) else {
            Issue.record("the submission never came")
            return
        }
        guard case .conclusion(let second) = try await stage.verifier.fetch(challenge, in: Stage.attempt("fetch:2"))
        else { return }
        #expect(second.isRejected)
        // Verified, and the claims were given out once only: no verdict, and above all no rejection.
        let error = try await failure { try await stage.verifier.fetch(challenge, in: Stage.attempt("fetch:3")) }
        #expect(error.code == .providerProtocolError)
    }

    @Test func `an answer that has no place for a required claim makes no rejection`() async throws {
        let answer =
            #"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_OK"}, "person": {"name": "花子"}}"#
        // Asked later, this provider tells the name and nothing else.
        let stage = try Stage("pocketsign", [.json(answer), .json(answer)]) { text in
            let fetch = text.range(of: "fetch:")?.lowerBound ?? text.endIndex
            let tail = String(text[fetch...])
            let named = tail.replacing(
                "answer: {", with: "answer: { claims: { name: \"/person/name\" },", maxReplacements: 1)
            return String(text[..<fetch]) + named
        }
        let both = Stage.purpose(required: ["name", "birthdate"])
        let challenge = try await stage.begun(try Stage.request(both))
        let error = try await failure { try await stage.verifier.fetch(challenge, in: Stage.attempt("fetch:1")) }
        #expect(error.code == .providerProtocolError && error.place == "birthdate")
        // A purpose that requires no more than the answer has a place for is judged by it.
        let name = try await stage.begun(try Stage.request(Stage.purpose(required: ["name"])))
        guard case .conclusion(let conclusion) = try await stage.verifier.fetch(name, in: Stage.attempt("fetch:2"))
        else { return }
        #expect(conclusion.isVerified)
    }

    @Test func `Keystone-shaped: success is 202 with a code in the body, and claims stand in a list`() async throws {
        let answers: [Result<OutboundAnswer, OutboundFailure>] = [
            .json(#"{"cardRequestId": "r 1/.."}"#, 202),
            .json(#"{"status": "processing", "nextPollSeconds": 7}"#, 202),
            .json(
                #"""
                {"status": "completed", "errorCode": "00", "errorMessage": "正常", "attributes": [
                  {"name": "氏名", "value": "葛󠄀城 𠮷男"}, {"name": "生年月日", "value": "昭和以外1971年9月1日"}]}
                """#, 202),
            .json(
                #"""
                {"status": "completed", "errorCode": "00", "attributes": [
                  {"name": "氏名", "value": "葛󠄀城 𠮷男"}, {"name": "生年月日", "value": "１９７１年９月１日"}]}
                """#, 202),
            .json(#"{"status": "completed", "errorCode": "12"}"#, 202),
            .json(#"{"status": "completed", "errorCode": "77"}"#, 202),
        ]
        let stage = try Stage("ntt", answers)
        let challenge = try await stage.begun()
        let submitted = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        let pending = try #require(submitted.pending)
        #expect(pending.provider.reference == "r 1/..")
        let later = Stage.later(challenge, pending.provider)
        let waiting = try await stage.verifier.poll(later, in: Stage.attempt("poll:1"))
        #expect(waiting.pending?.retryAfter == .seconds(7))
        // Whatever the reference holds, it is one segment of the path.
        #expect(
            await stage.provider.seen[1].url == "https://api.example.ne.jp/v1/card/card-requests/r%201%2F..")
        #expect(await stage.provider.seen[1].connection == .reuse)
        let broken = try await failure { try await stage.verifier.poll(later, in: Stage.attempt("poll:2")) }
        #expect(broken.code == .providerProtocolError)
        let done = try await stage.verifier.poll(later, in: Stage.attempt("poll:3"))
        #expect(done.claims == ["name": .text("葛󠄀城 𠮷男"), "birthdate": .text("1971-09-01")])
        let revoked = try await stage.verifier.poll(later, in: Stage.attempt("poll:4"))
        #expect(revoked.report?[.revocation] == .failed(.documentRevoked))
        let unknown = try await failure { try await stage.verifier.poll(later, in: Stage.attempt("poll:5")) }
        #expect(unknown.code == .providerProtocolError)
    }

    @Test func `Form-shaped: the provider makes the nonce and names the merchant`() async throws {
        let nonce: [UInt8] = Array(100..<132)
        let stage = try Stage(
            "stripe",
            [
                .json(
                    #"""
                    {"session_id": "wis_1", "platform": "apple_passkit", "verification_page": "vp/../x",
                     "metadata": {"session": "ses_1"},
                     "request": {"nonce": "\#(ByteText.base64URL(nonce))", "merchant_identifier": "merchant.theirs"}}
                    """#),
                .json(#"{"session_id": "wis_1", "status": "validated"}"#),
                .json(
                    #"""
                    {"session_id": "wis_1", "status": "verified", "completed": 1790000100,
                     "verified_outputs": {"first_name": "Hanako", "last_name": "Yamada", "dob": "09/01/1971"}}
                    """#),
            ])
        let purpose = Stage.purpose(["given_name", "family_name", "birthdate"], required: ["family_name"])
        let challenge = try await stage.begun(try Stage.request(purpose, documentType: Stage.licence))
        #expect(challenge.nonce.bytes == nonce)
        #expect(
            challenge.walletIdentity == WalletIdentity(merchantIdentifier: "merchant.theirs", teamIdentifier: "TEAM"))
        #expect(stage.verifier.description.walletKeys == nil)
        #expect(stage.verifier.description.nonceOrigin == .provider)
        let begin = try #require(await stage.provider.seen.first)
        #expect(begin.header("Idempotency-Key") == "att_1-begin")
        #expect(begin.body == "app_identifier=v-app_identifier&platform=apple_passkit&metadata%5Bsession%5D=ses_1")
        #expect(begin.header("Content-Type") == "application/x-www-form-urlencoded")
        let submitted = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(submitted.pending != nil)
        let submit = await stage.provider.seen[1]
        #expect(
            submit.url
                == "https://api.example.com/v1/identity/verification_pages/vp%2F..%2Fx/wallet_identity/sessions/wis_1/submit"
        )
        #expect(submit.connection == .reuse)
        #expect(submit.form["encrypted_response"] == ByteText.base64URL(Stage.blob))
        let verified = try await stage.verifier.poll(challenge, in: Stage.attempt("poll:1"))
        #expect(
            verified.claims == [
                "given_name": .text("Hanako"), "family_name": .text("Yamada"), "birthdate": .text("1971-09-01"),
            ])
        #expect(verified.facts.eventTime == Timestamp(seconds: 1_790_000_100))
        #expect(await stage.provider.seen[2].url.hasSuffix("/sessions/wis_1?expand%5B%5D=verified_outputs"))
    }

    @Test(arguments: ["", "AAAA", "not base64!", String(repeating: "A", count: 100)])
    func `a provider's nonce of another length or form is a protocol error`(nonce: String) async throws {
        let stage = try Stage(
            "stripe",
            [
                .json(
                    #"""
                    {"session_id": "w", "platform": "apple_passkit", "verification_page": "v", "metadata": {"session": "ses_1"},
                     "request": {"nonce": "\#(nonce)", "merchant_identifier": "merchant.theirs"}}
                    """#)
            ])
        let error = try await failure { try await stage.begun() }
        #expect(error.code == .providerProtocolError)
        #expect(!error.mayHaveBilled)
    }

    @Test func `OAuth-shaped: the nonce is the text of the challenge, and an unfinished verdict is pending`()
        async throws
    {
        let text = ByteText.base64URL(Stage.nonceBytes)
        let credential =
            #"{"docType": "org.iso.18013.5.1.mDL", "verificationResult": {"verified": true}, "claims": {"family_name": "Doe", "given_name": "Jo"}}"#
        let stage = try Stage(
            "mattr",
            [
                .json(#"{"id": "p1", "challenge": "\#(text)", "resultKey": "k\u0026=1"}"#, 201),
                .json(#"{"id": "p1", "final": false, "credentials": [\#(credential)]}"#),
                .json(
                    #"{"id": "p1", "final": true, "credentials": [\#(credential)], "verifier": {"program": "VII", "version": "4.2"}}"#
                ),
                .json(#"{"id": "p1", "final": true, "credentials": []}"#),
                .json(
                    #"{"id": "p1", "final": true, "credentials": [{"docType": "org.iso.23220.1.jp.mnc", "verificationResult": {"verified": true}}]}"#
                ),
            ])
        let purpose = Stage.purpose(
            ["family_name", "given_name"], required: ["family_name"], documents: [Stage.licence])
        let challenge = try await stage.begun(try Stage.request(purpose, documentType: Stage.licence))
        #expect(challenge.nonce.bytes == Array(text.utf8))
        #expect(
            await stage.provider.seen[0].body
                == #"{"challenge":"\#(text)","docType":"org.iso.18013.5.1.mDL","elements":["family_name","given_name"],"externalReference":"ses_1"}"#
        )
        let first = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(first.pending != nil)
        #expect(await stage.provider.seen[1].header("X-Result-Key") == "k&=1")
        let second = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(second.isVerified)
        #expect(second.report?[.documentType] == .passed)
        #expect(second.facts.program == "VII" && second.facts.programVersion == "4.2")
        // An empty list is not "all of them".
        let empty = try await failure {
            try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        }
        #expect(empty.code == .providerProtocolError && empty.mayHaveBilled)
        // Another document than was asked for is not the answer to the question.
        let other = try await failure {
            try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        }
        #expect(other.code == .providerProtocolError)
    }

    @Test func `JSON API-shaped: codes are numbers, and what does not fit says where in the manifest`() async throws {
        let challenge =
            #"{"data": {"type": "challenges", "id": "c1", "attributes": {"external-ref": "ses_1", "challenge": "\#(ByteText.hex(Stage.nonceBytes))"}}}"#
        func decided(_ code: Int, _ rest: String = "", word: String = "AUTHENTIC") -> Result<
            OutboundAnswer, OutboundFailure
        > {
            .json(
                #"""
                {"data": {"id": "c1", "attributes": {"external-ref": "ses_1",
                  "state-words": [["CHALLENGE", "ANSWERED"], ["CARD", "\#(word)"]],
                  "evaluations": [{"kind": "wallet", "decision": {"code": \#(code)}}] \#(rest)}}}
                """#)
        }
        func subject(_ born: String) -> String {
            #", "subject": [{"attribute": "FULL_NAME", "content": "山田　花子"}, {"attribute": "BORN", "content": "\#(born)"}]"#
        }
        let stage = try Stage(
            "jsonapi",
            [
                .json(challenge, 201), decided(7001, subject("29/2/1984")),
                decided(7102, #", "findings": [{"finding": {"code": 4012}}, {"finding": {"code": 4007}}]"#),
                decided(7102, #", "findings": [{"finding": {"code": 4999}}]"#), decided(7001, subject("1984-02-29")),
                decided(7001, subject("29/2/1984"), word: "SUSPECT"), .json(#"{"errors": []}"#, 401),
                .json("<html>secret</html>", 200),
            ])
        let begun = try await stage.begun()
        #expect(begun.nonce.bytes == Stage.nonceBytes)
        #expect(stage.verifier.description.claims == [Stage.card: ["name", "birthdate"]])
        func submit() async throws(VerificationError) -> Conclusion {
            try await stage.verifier.conclude(Stage.evidence, for: begun, in: Stage.attempt())
        }
        let verified = try await submit()
        #expect(verified.claims == ["name": .text("山田　花子"), "birthdate": .text("1984-02-29")])
        let rejected = try await submit()
        #expect(rejected.report?.reasons == [.digestMismatch, .deviceSignatureInvalid])
        let code = try await failure { try await submit() }
        #expect(code.place == "/data/attributes/findings" && code.answerStatus == 200)
        let date = try await failure { try await submit() }
        #expect(date.place == "birthdate" && date.answerStatus == 200)
        // Two statements of which one is unknown: never verified.
        let word = try await failure { try await submit() }
        #expect(word.code == .providerProtocolError && word.answerStatus == 200 && word.mayHaveBilled)
        let refused = try await failure { try await submit() }
        #expect(refused.answerStatus == 401 && !refused.mayHaveBilled)
        let page = try await failure { try await submit() }
        #expect(page.answerStatus == 200 && page.diagnostic.description.contains("no JSON"))
        for error in [code, date, word, refused, page] {
            let words = "\(error.diagnostic) \(error.place ?? "")"
            #expect(!["4999", "1984", "SUSPECT", "secret", "花子"].contains { words.contains($0) })
        }
    }

    @Test func `session-key-shaped: the key of the session goes from step to step in the state`() async throws {
        let nonce: [UInt8] = Array(40..<72)
        let stage = try Stage(
            "trinsic",
            [
                .json(
                    #"""
                    {"sessionId": "s1", "resultCollection": {"method": "poll", "resultsAccessKey": "ra\"k"},
                     "nextStep": {"method": "PerformNativeChallenge", "content": {"nonce": "\#(ByteText.base64(nonce))",
                       "merchantIdentifier": "merchant.agg", "teamIdentifier": "AGG"}}}
                    """#),
                .json(#"{"session": {"id": "s1", "done": false, "success": false}}"#),
                .json(
                    #"""
                    {"session": {"id": "s1", "done": true, "success": true}, "identityData": {"rawMdlOutput": {"nameSpaces": {
                      "org.iso.23220.1.jp": {"full_name_unicode": {"type": "String", "value": "山田花子"}}}}}}
                    """#),
                .raw([], 204, type: nil),
            ])
        let challenge = try await stage.begun()
        #expect(challenge.walletIdentity == WalletIdentity(merchantIdentifier: "merchant.agg", teamIdentifier: "AGG"))
        #expect(challenge.nonce.bytes == nonce)
        #expect("\(challenge.state)" == "***")
        let submitted = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(submitted.pending != nil)
        #expect(await stage.provider.seen[1].body.hasPrefix(#"{"resultsAccessKey":"ra\"k","responseToken":"#))
        let done = try await stage.verifier.poll(challenge, in: Stage.attempt("poll:1"))
        #expect(done.claims == ["name": .text("山田花子")])
        try await stage.verifier.erase(challenge, in: Stage.attempt("erase"))
        #expect(await stage.provider.seen[3].url == "https://api.example.id/api/v1/sessions/s1/redact")
    }

    @Test func `JSON API-shaped: records by name, and a webhook that carries the result`() async throws {
        let fields = #"[{"key": "name-full", "value": "Yamada"}, {"key": "birthdate", "value": "1971-09-01"}]"#
        let stage = try Stage(
            "persona",
            [
                .success(
                    OutboundAnswer(
                        status: 201,
                        headers: OutboundHeaders([("content-type", "application/vnd.api+json; charset=UTF-8")]),
                        body: Sensitive(
                            Array(
                                #"{"data": {"id": "ver_1", "attributes": {"reference-id": "ses_1", "status": "submitted"}}}"#
                                    .utf8)))),
                .json(#"{"data": {"id": "ver_1", "attributes": {"status": "passed", "fields": \#(fields)}}}"#),
                .json(
                    #"{"data": {"id": "ver_1", "attributes": {"status": "failed", "checks": [{"reason": "expired"}, {}, {"reason": "new"}]}}}"#
                ),
            ])
        let challenge = try await stage.begun()
        let submitted = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        let later = Stage.later(challenge, try #require(submitted.pending).provider)
        #expect(later.providerReference == "ver_1")
        let passed = try await stage.verifier.poll(later, in: Stage.attempt("poll:1"))
        #expect(passed.claims == ["name": .text("Yamada"), "birthdate": .text("1971-09-01")])
        let failed = try await stage.verifier.poll(later, in: Stage.attempt("poll:2"))
        #expect(failed.report?.reasons == [.documentExpired])
        #expect(failed.isRejected)

        func notice(_ event: String, reference: String = "ver_1") -> Notice {
            Notice(
                id: "evt", providerReference: reference,
                body: Sensitive(
                    Array(
                        #"{"data": {"attributes": {"name": "\#(event)", "payload": {"data": {"id": "\#(reference)", "attributes": {"fields": \#(fields)}}}}}}"#
                            .utf8)))
        }
        let told = try stage.verifier.conclude(notice("verification.passed"), for: later, in: Stage.attempt())
        #expect(told?.isVerified == true)
        #expect(
            try stage.verifier.conclude(notice("verification.created"), for: later, in: Stage.attempt())?.pending != nil
        )
        #expect(throws: VerificationError(.providerProtocolError, "")) {
            try stage.verifier.conclude(notice("verification.reopened"), for: later, in: Stage.attempt())
        }
        #expect(throws: VerificationError(.providerProtocolError, "")) {
            try stage.verifier.conclude(
                notice("verification.passed", reference: "ver_2"), for: later, in: Stage.attempt())
        }
    }

    @Test func `number-shaped: null is not ready, and a number that is not named is no verdict`() async throws {
        func decision(_ code: String) -> Result<OutboundAnswer, OutboundFailure> {
            .json(
                #"{"status": "success", "verification": {"id": "v1", "code": \#(code), "reasonCode": 101, "person": {"lastName": "Y"}, "decisionTime": "2026-09-21T00:00:00Z"}}"#
            )
        }
        let stage = try Stage(
            "veriff",
            [
                .json(#"{"status": "success", "verification": {"id": "v1", "vendorData": "ses_1"}}"#, 201),
                .json(#"{"status": "success", "verification": {"id": "v1"}}"#, 201),
                decision("9001"), decision("9102"), decision("9103"), decision("9121"), decision(#""9001""#),
                decision("9001.0"),
            ])
        let purpose = Stage.purpose(["family_name"], required: ["family_name"])
        let challenge = try await stage.begun(try Stage.request(purpose, documentType: Stage.licence))
        #expect(await stage.provider.seen[0].body.contains(#""timestamp":"2026-09-21T14:13:20Z""#))
        let submitted = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(submitted.pending != nil)
        #expect(try await stage.verifier.poll(challenge, in: Stage.attempt("poll:1")).isVerified)
        let declined = try await stage.verifier.poll(challenge, in: Stage.attempt("poll:2"))
        #expect(declined.report?.reasons == [.documentExpired])
        for number in 3...6 {
            let error = try await failure {
                try await stage.verifier.poll(challenge, in: Stage.attempt("poll:\(number)"))
            }
            #expect(error.code == .providerProtocolError)
        }
    }

    @Test func `number-shaped: a verification that is null waits, with nothing that shows whose it is`() async throws {
        let stage = try Stage(
            "veriff",
            [
                .json(#"{"status": "success", "verification": {"id": "v1", "vendorData": "ses_1"}}"#, 201),
                .json(#"{"status": "success", "verification": null}"#),
            ])
        let challenge = try await stage.begun(try Stage.request(documentType: Stage.licence))
        #expect(try await stage.verifier.poll(challenge, in: Stage.attempt("poll:1")).pending != nil)
    }
}
