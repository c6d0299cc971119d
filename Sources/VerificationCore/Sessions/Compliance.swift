/// When the contract that a session's person was verified for began and ended, as the app says.
public struct Contract: Sendable, Hashable {
    /// When it began; from then on the claims are kept until it ends.
    public var startedAt: Timestamp?
    /// When it ended; from then on the time to keep runs.
    public var endedAt: Timestamp?

    /// A contract.
    public init(startedAt: Timestamp? = nil, endedAt: Timestamp? = nil) {
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}

/// Keeps a session from being erased or removed until it is lifted.
public struct LegalHold: Sendable, Hashable {
    /// Why, as a code such as `litigation`; never a text about the person.
    public let reason: String
    /// Who placed it.
    public let by: String
    /// When.
    public let at: Timestamp

    /// A hold.
    public init(reason: String, by: String, at: Timestamp) {
        self.reason = reason
        self.by = by
        self.at = at
    }
}
