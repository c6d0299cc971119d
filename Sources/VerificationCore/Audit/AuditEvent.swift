/// An audit event in its place in the chain.
public struct AuditEvent: Sendable, Hashable {
    /// Its place, from 1 without gaps.
    public let sequence: Int64
    /// What happened.
    public let draft: AuditDraft
    /// The hash of the event before; 32 zero bytes for the first.
    public let previousHash: [UInt8]
    /// SHA-256 over the event's canonical encoding, which includes `previousHash`.
    public let hash: [UInt8]

    /// An event of the chain.
    public init(sequence: Int64, draft: AuditDraft, previousHash: [UInt8], hash: [UInt8]) {
        self.sequence = sequence
        self.draft = draft
        self.previousHash = previousHash
        self.hash = hash
    }
}

/// Which audit events are looked for. What is `nil` is not looked at.
public struct AuditFilter: Sendable, Hashable {
    /// The actions; empty for all.
    public var actions: Set<AuditDraft.Action> = []
    /// Who did it.
    public var actor: String?
    /// The session it is about.
    public var session: SessionID?
    /// At this instant or later.
    public var from: Timestamp?
    /// Before this instant.
    public var before: Timestamp?

    /// All events.
    public init() {}

    /// Whether an event is looked for.
    public func matches(_ draft: AuditDraft) -> Bool {
        (actions.isEmpty || actions.contains(draft.action)) && (actor.map { $0 == draft.actor } ?? true)
            && (session.map { $0 == draft.session } ?? true) && (from.map { $0 <= draft.at } ?? true)
            && (before.map { draft.at < $0 } ?? true)
    }
}
