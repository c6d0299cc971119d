/// Messages that must leave, kept until they have. Each is written in the transaction of what it tells.
///
/// The store writes them itself: a `sessionEnded` when a session that `notifies` reaches a final state, whoever ends
/// it, and a `providerErasure` when a session that has an `eraseTicket` is erased. A ticket that a session in
/// `processing` is given after its erasure becomes a `providerErasure` at once, in place of one that still waits.
public protocol Outbox: Sendable {
    /// Takes the messages that are due, oldest first, at most `limit`, and puts them off until `lease`.
    func takeDueMessages(at now: Timestamp, lease: Timestamp, limit: Int) async throws(StoreError) -> [OutboxMessage]

    /// Settles a message that was taken, with an audit event where one is given. One that is gone already is no error,
    /// and leaves no event.
    func settle(
        _ message: OutboxMessage.ID, _ settlement: OutboxSettlement, audit: AuditDraft?
    ) async throws(StoreError)

    /// Takes a message up again that was given up: due at once, as if it had never been tried. Throws `.notFound` for
    /// one that is not there or was not given up.
    func reviveMessage(_ message: OutboxMessage.ID, at now: Timestamp) async throws(StoreError)

    /// Messages that were given up, newest first, at most `limit`.
    func deadMessages(limit: Int) async throws(StoreError) -> [OutboxMessage]

    /// Tells something once. Under a name that nothing was told under before, it writes the audit event and the message,
    /// where there is one; under a name that is known, nothing. Returns whether it was new. Names are kept for ever.
    func tell(_ name: String, _ message: OutboxMessage?, audit: AuditDraft) async throws(StoreError) -> Bool

    /// How many messages wait and how many were given up.
    func outboxCounts() async throws(StoreError) -> OutboxCounts
}

extension Outbox {
    /// Settles a message that nobody audits.
    public func settle(_ message: OutboxMessage.ID, _ settlement: OutboxSettlement) async throws(StoreError) {
        try await settle(message, settlement, audit: nil)
    }
}

/// A message that must leave.
public struct OutboxMessage: Sendable, Hashable {
    /// Names a message; it is the same for every delivery of it.
    public typealias ID = String

    /// What it is for.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// Tells a client that its session ended.
        case sessionEnded = "session_ended"
        /// Has a provider erase what it keeps.
        case providerErasure = "provider_erasure"
        /// Tells the operators that a limit of a budget was reached.
        case budgetReached = "budget_reached"
    }

    /// Its name: `msg_` and the session's random part and the kind, so that a message is written once.
    public var id: ID
    /// What it is for.
    public var kind: Kind
    /// The session it is about; empty where it is about none.
    public var session: SessionID
    /// The session's client, or the budget's; empty for a budget of all of them.
    public var client: ClientID
    /// The session's verifier, or the budget's; empty for a budget of all of them.
    public var verifier: VerifierID
    /// The sealed ticket, for an erasure.
    public var ticket: SealedBytes?
    /// What it says, byte for byte, where it is about no session: it holds nothing of a person's.
    public var body: [UInt8]?
    /// When it was written.
    public var createdAt: Timestamp
    /// When it is due.
    public var nextAt: Timestamp
    /// How often it was tried.
    public var tries: Int
    /// A static code of the last failure.
    public var lastError: String?
    /// When it was given up.
    public var deadAt: Timestamp?

    /// A message that was never tried.
    public init(
        id: ID, kind: Kind, session: SessionID, client: ClientID, verifier: VerifierID, ticket: SealedBytes?,
        createdAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.session = session
        self.client = client
        self.verifier = verifier
        self.ticket = ticket
        self.createdAt = createdAt
        self.nextAt = createdAt
        self.tries = 0
    }

    /// A message to the operators that was never tried. It is about no session.
    public init(
        id: ID, budgetReached body: [UInt8], verifier: VerifierID?, client: ClientID?, createdAt: Timestamp
    ) {
        self.init(
            id: id, kind: .budgetReached, session: SessionID(""), client: client ?? ClientID(""),
            verifier: verifier ?? VerifierID(""), ticket: nil, createdAt: createdAt)
        self.body = body
    }

    /// The name of a session's message of a kind: `msg_`, what follows the session's prefix, and the kind.
    public static func id(_ kind: Kind, of session: SessionID) -> ID {
        let name = session.rawValue
        let random = name.firstIndex(of: "_").map { name[name.index(after: $0)...] } ?? name[...]
        return "msg_\(random)_\(kind.rawValue)"
    }
}

/// What becomes of a message that was tried.
public enum OutboxSettlement: Sendable, Hashable {
    /// It was taken; it is removed.
    case delivered
    /// It is tried again; `tries` goes up by one.
    case retry(at: Timestamp, error: String)
    /// It is given up, after one more try, and kept to be seen until its session is purged.
    case dead(at: Timestamp, error: String)
}

/// How full an outbox is.
public struct OutboxCounts: Sendable, Hashable {
    /// Messages that wait.
    public var waiting: Int
    /// Messages that were given up.
    public var dead: Int

    /// Counts.
    public init(waiting: Int, dead: Int) {
        self.waiting = waiting
        self.dead = dead
    }
}
