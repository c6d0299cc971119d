import Configuration
import Mdoc
import Trust
public import VerificationCore

/// A verifier of the kind `in_house`. A call reaches nobody, and is finished in a fraction of a millisecond; revocation
/// lists are fetched beside it.
public struct InHouseVerifier: Verifier {
    /// What the gateway may know of it.
    public let description: VerifierDescription
    /// The identity that wallets are asked with.
    public let walletIdentity: WalletIdentity
    let configuration: InHouseConfiguration
    private let verifier: MdocVerifier
    /// Ends with the last copy of the verifier.
    private let fetcher: RevocationFetcher?

    init(
        _ declaration: VerifierDeclaration, _ configuration: InHouseConfiguration, fetching: RevocationFetching? = nil
    ) {
        self.configuration = configuration
        walletIdentity = configuration.wallet.identity
        description = VerifierDescription(
            id: declaration.id, kind: InHouseProvider.kind, isSimulated: configuration.mode == .simulator,
            certification: declaration.certification,
            documentTypes: InHouseVerifier.documentTypes(configuration.trust),
            walletKeys: WalletKeys(
                identity: walletIdentity, keyHashes: Set(configuration.wallet.keys.map(\.recipient.hash))))
        let signers = configuration.trust.map {
            SignerVerifier(trust: $0, profile: configuration.profile, revocation: configuration.revocation)
        }
        if let fetching, let trust = configuration.trust, let sources = configuration.revocation?.fetched {
            fetcher = RevocationFetcher(sources: sources, trust: trust, fetching: fetching)
        } else {
            fetcher = nil
        }
        verifier = MdocVerifier(
            MdocVerifier.Configuration(
                mode: configuration.mode, recipientKeys: configuration.wallet.keys.map(\.recipient),
                signerVerifier: signers, certificateProfile: configuration.profile,
                requiresRevocation: configuration.revocation?.policy == .fail))
    }

    /// Gives the gateway's own nonce back. The challenge remembers which keys a wallet may seal to.
    public func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge {
        guard description.documentTypes.contains(request.documentType) else {
            throw VerificationError(.requestUnsupported, "no trust anchor is configured for the document type")
        }
        guard request.purpose.documentTypes.contains(request.documentType) else {
            throw VerificationError(.requestUnsupported, "the purpose does not allow the document type")
        }
        return Challenge(
            request: request, nonce: request.nonce, walletIdentity: walletIdentity,
            state: Sensitive(ChallengeState.bytes(configuration.wallet.keys.map(\.recipient.hash))))
    }

    /// Judges the wallet's answer.
    public func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        guard !Task.isCancelled, attempt.now <= attempt.deadline else {
            throw VerificationError(.cancelled, "nobody waits for the verdict any more")
        }
        let result = evidence.encryptedData.withValue { envelope in
            verifier.verify(
                envelope: envelope, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity,
                expectedDocumentType: challenge.request.documentType, purpose: challenge.request.purpose,
                at: attempt.now)
        }
        if result.report[.recipientKey] == .failed(.recipientKeyUnknown), isSealedToWithdrawnKey(evidence, challenge) {
            throw VerificationError(.challengeUnusable, "the key that the wallet sealed to was withdrawn meanwhile")
        }
        guard let verdict = result.verdict else {
            throw result.isRevocationUndetermined
                ? VerificationError(.revocationUnavailable, "no current revocation list covers the signer")
                : VerificationError(.internal, "a check that must be made was not made")
        }
        return .verdict(verdict, incidents: result.incidents)
    }

    /// Whether the answer was sealed to a key that was ours when the session began: then we do not know, and it is no verdict.
    private func isSealedToWithdrawnKey(_ evidence: Evidence, _ challenge: Challenge) -> Bool {
        guard let hash = evidence.encryptedData.withValue({ try? AppleEnvelope($0).recipientKeyHash }) else {
            return false
        }
        return challenge.state.withValue { ChallengeState.contains(hash, in: $0) }
    }

    /// The documents that some anchor is trusted for; in a simulator without anchors, all that are known.
    private static func documentTypes(_ trust: TrustStore?) -> Set<String> {
        let known = DocumentCatalog.documents.map(\.type)
        guard let trust else { return Set(known) }
        return Set(known.filter { !trust.anchors(for: $0).isEmpty })
    }
}
