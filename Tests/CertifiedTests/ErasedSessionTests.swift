import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// An erased session has lost its memory: what asks by our own names and the reference still asks, and nothing is submitted.
@Suite struct ErasedSessionTests {
    /// A challenge as the gateway makes it of an erased session.
    private func erased(_ challenge: Challenge, reference: String?) -> Challenge {
        let purpose = Purpose(
            id: PurposeID("kyc"), documentTypes: [challenge.request.documentType], claims: [], requiredClaims: [],
            retention: .zero, relyingPartyRetention: .none)
        let request = VerificationRequest(
            session: challenge.request.session, purpose: purpose, documentType: challenge.request.documentType,
            nonce: challenge.nonce)
        return Challenge(
            request: request, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity, state: Sensitive([]),
            providerReference: reference)
    }

    @Test func `its verdict is asked for by the reference, and no claim comes with it`() async throws {
        let fields = #"[{"key": "name-full", "value": "Yamada"}, {"key": "birthdate", "value": "1971-09-01"}]"#
        let stage = try Stage(
            "persona",
            [.json(#"{"data": {"id": "ver_1", "attributes": {"status": "passed", "fields": \#(fields)}}}"#)])
        let challenge = erased(try await stage.begun(), reference: "ver_1")
        let passed = try await stage.verifier.poll(challenge, in: Stage.attempt("poll:1"))
        #expect(passed.isVerified && passed.claims == [:])
        #expect(await stage.provider.seen[0].url.hasSuffix("/verifications/ver_1"))
        // Without the reference there is nothing to ask by, and nothing is ever submitted for it.
        let unknown = erased(challenge, reference: nil)
        expectUnusable(try await failure { try await stage.verifier.poll(unknown, in: Stage.attempt("poll:2")) })
        expectUnusable(
            try await failure { try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt()) }
        )
        #expect(await stage.provider.seen.count == 1)
    }

    private func expectUnusable(_ error: VerificationError) { #expect(error.code == .challengeUnusable) }

    @Test func `where asking takes what an answer had us keep, nobody is asked`() async throws {
        let stage = try Stage("mattr", [], authenticator: NoAuthentication())
        let challenge = Challenge(
            request: try Stage.request(), nonce: try #require(Nonce(Stage.nonceBytes)),
            walletIdentity: WalletIdentity(merchantIdentifier: "m", teamIdentifier: "t"), state: Sensitive([]),
            providerReference: "r")
        expectUnusable(try await failure { try await stage.verifier.poll(challenge, in: Stage.attempt("poll:1")) })
        #expect(await stage.provider.seen.isEmpty)
    }
}
