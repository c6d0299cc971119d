public import VerificationCore

/// A rule that picks a verifier. What it does not name, it does not look at.
public struct RouteDeclaration: Sendable, Hashable {
    /// The purpose it is for.
    public let purpose: PurposeID?
    /// The document type it is for.
    public let documentType: String?
    /// The client it is for.
    public let client: ClientID?
    /// The verifier it picks.
    public let verifier: VerifierID

    /// Whether it speaks of every session.
    public var isDefault: Bool { purpose == nil && documentType == nil && client == nil }
}
