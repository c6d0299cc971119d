import Foundation
import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// Providers that open a session and make the nonce, each by its manifest alone.
@Suite struct ProviderNonceShapeTests {
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
}
