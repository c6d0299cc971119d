import VerificationCore

/// A message of the outbox and what only the store knows of it.
struct MemoryMessage: Sendable {
    var message: OutboxMessage
    /// Whether it has another ticket since it was taken: then whoever took it settles nothing.
    var isRenewed = false

    var isWaiting: Bool { message.deadAt == nil }
}

/// Names a notice of a verifier.
struct MemoryNotice: Sendable, Hashable {
    let verifier: VerifierID
    let id: String
}

extension MemoryState {
    /// Writes a message of a session; one of the same name that is there gets the new ticket and is due again.
    mutating func write(
        _ kind: OutboxMessage.Kind, of record: SessionRecord, ticket: SealedBytes? = nil, at now: Timestamp
    ) {
        let message = OutboxMessage(
            id: OutboxMessage.id(kind, of: record.id), kind: kind, session: record.id, client: record.client,
            verifier: record.verifier, ticket: ticket, createdAt: now)
        outbox[message.id] = MemoryMessage(message: message, isRenewed: outbox[message.id] != nil)
    }

    /// Removes messages of purged sessions, but for erasures that wait, and what was given up of those earlier.
    mutating func purgeMessages(of sessions: Set<SessionID>, before instant: Timestamp) {
        outbox = outbox.filter { _, entry in
            let message = entry.message
            if sessions.contains(message.session) { return message.kind == .providerErasure && entry.isWaiting }
            guard let dead = message.deadAt, dead < instant else { return true }
            return self.sessions[message.session] != nil
        }
        notices = notices.filter { $0.value >= instant }
    }
}
