import Foundation
import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// Providers with words and numbers of their own, each by its manifest alone: what is not named is no verdict.
@Suite struct CodeShapeTests {
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
