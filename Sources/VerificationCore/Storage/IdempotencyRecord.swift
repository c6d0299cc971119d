/// Names one use of the `Idempotency-Key` header.
public struct IdempotencyKey: Sendable, Hashable {
    /// The client; two clients never share a key.
    public let client: ClientID
    /// What it was used for: `create`, or `submission:` and the session.
    public let scope: String
    /// The header's text.
    public let key: String

    /// A key.
    public init(client: ClientID, scope: String, key: String) {
        self.client = client
        self.scope = scope
        self.key = key
    }
}

/// What is kept of an idempotency key until the session is purged.
public struct IdempotencyRecord: Sendable, Hashable {
    /// The key.
    public let key: IdempotencyKey
    /// SHA-256 of the request's body.
    public let bodyHash: [UInt8]
    /// The session that came of it.
    public let session: SessionID

    /// A record.
    public init(key: IdempotencyKey, bodyHash: [UInt8], session: SessionID) {
        self.key = key
        self.bodyHash = bodyHash
        self.session = session
    }
}
