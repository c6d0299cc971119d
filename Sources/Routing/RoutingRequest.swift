public import VerificationCore

/// A session that needs a verifier.
public struct RoutingRequest: Sendable, Hashable {
    /// The session: its name decides which share it falls into.
    public var session: SessionID
    /// Its purpose.
    public var purpose: PurposeID
    /// The document type asked for.
    public var documentType: String
    /// The client that opens it.
    public var client: ClientID
    /// When.
    public var at: Timestamp

    /// A request.
    public init(session: SessionID, purpose: PurposeID, documentType: String, client: ClientID, at: Timestamp) {
        self.session = session
        self.purpose = purpose
        self.documentType = documentType
        self.client = client
        self.at = at
    }
}
