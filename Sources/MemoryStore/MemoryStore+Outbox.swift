public import VerificationCore

extension MemoryStore {
    public func takeDueMessages(
        at now: Timestamp, lease: Timestamp, limit: Int
    ) async throws(StoreError) -> [OutboxMessage] {
        try transaction { state throws(StoreError) in
            let due = state.outbox.values.filter { $0.isWaiting && $0.message.nextAt <= now }
                .sorted { left, right in
                    let (ours, theirs) = (left.message, right.message)
                    return (ours.nextAt, ours.createdAt, ours.id) < (theirs.nextAt, theirs.createdAt, theirs.id)
                }
            return due.prefix(max(0, limit)).map { entry in
                var entry = entry
                entry.message.nextAt = lease
                entry.isRenewed = false
                state.outbox[entry.message.id] = entry
                return entry.message
            }
        }
    }

    public func settle(
        _ message: OutboxMessage.ID, _ settlement: OutboxSettlement, audit: AuditDraft?
    ) async throws(StoreError) {
        try transaction { state throws(StoreError) in
            guard var entry = state.outbox[message], entry.isWaiting, !entry.isRenewed else { return }
            if let audit { state.appendAudit(audit) }
            switch settlement {
            case .delivered:
                state.outbox[message] = nil
                return
            case .retry(let at, let error):
                entry.message.nextAt = at
                entry.message.lastError = error
            case .dead(let at, let error):
                entry.message.deadAt = at
                entry.message.lastError = error
            }
            entry.message.tries += 1
            state.outbox[message] = entry
        }
    }

    public func reviveMessage(_ message: OutboxMessage.ID, at now: Timestamp) async throws(StoreError) {
        try transaction { state throws(StoreError) in
            guard var entry = state.outbox[message], !entry.isWaiting else { throw StoreError.notFound }
            entry.message.deadAt = nil
            entry.message.tries = 0
            entry.message.nextAt = now
            state.outbox[message] = entry
        }
    }

    public func deadMessages(limit: Int) async throws(StoreError) -> [OutboxMessage] {
        try read { state throws(StoreError) in
            let dead = state.outbox.values.compactMap { entry in entry.message.deadAt.map { (at: $0, entry: entry) } }
                .sorted { ($0.at, $0.entry.message.id) > ($1.at, $1.entry.message.id) }
            return dead.prefix(max(0, limit)).map(\.entry.message)
        }
    }

    public func tell(
        _ name: String, _ message: OutboxMessage?, audit: AuditDraft
    ) async throws(StoreError) -> Bool {
        try transaction { state throws(StoreError) in
            guard state.told.insert(name).inserted else { return false }
            if let message { state.outbox[message.id] = MemoryMessage(message: message) }
            state.appendAudit(audit)
            return true
        }
    }

    public func outboxCounts() async throws(StoreError) -> OutboxCounts {
        try read { state throws(StoreError) in
            let waiting = state.outbox.values.count { $0.isWaiting }
            return OutboxCounts(waiting: waiting, dead: state.outbox.count - waiting)
        }
    }
}
