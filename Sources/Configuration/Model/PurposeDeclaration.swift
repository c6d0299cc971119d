public import VerificationCore

/// A purpose as configured.
public struct PurposeDeclaration: Sendable, Hashable {
    /// The purpose as the verifiers see it.
    public let purpose: Purpose
    /// Why we ask, in the operator's words.
    public let description: String?
    /// Whether only a verifier with a current certification may serve it, whatever the document.
    public let requiresCertification: Bool
}
