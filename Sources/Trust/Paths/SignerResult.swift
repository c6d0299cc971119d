public import VerificationCore

/// What was found out about a document's signer.
public struct SignerResult: Sendable {
    /// The signer's certificate, wherever it could be parsed, trusted or not: so its signature can still be judged.
    public let signer: Certificate?
    /// Why the signer is not trusted; `nil` says that it is.
    public let failure: Reason?
    /// The rules that are broken, for an operator; empty where the signer is trusted.
    public let problems: [CertificateProblem]
    /// What is known of its revocation.
    public let revocation: RevocationOutcome
    /// The anchor that a path leads to, trusted or not.
    public let anchor: TrustAnchor?

    /// A signer with its outcome.
    public init(
        signer: Certificate?, failure: Reason?, problems: [CertificateProblem] = [], revocation: RevocationOutcome,
        anchor: TrustAnchor? = nil
    ) {
        self.signer = signer
        self.failure = failure
        self.problems = problems
        self.revocation = revocation
        self.anchor = anchor
    }
}
