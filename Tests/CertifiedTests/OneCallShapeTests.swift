import Foundation
import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// Providers that are called once, each by its manifest alone: the verdict is in the answer.
@Suite struct OneCallShapeTests {
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
}
