public import VerificationCore

extension MemoryStore {
    public func audit(from sequence: Int64, limit: Int) async throws(StoreError) -> [AuditEvent] {
        try read { state throws(StoreError) in
            let start = Int(clamping: max(sequence, 1)) - 1
            guard start < state.audit.count, limit > 0 else { return [] }
            return Array(state.audit[start...].prefix(limit))
        }
    }

    public func audit(
        _ filter: AuditFilter, before sequence: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEvent] {
        try read { state throws(StoreError) in
            Array(
                state.audit.reversed().lazy
                    .filter { event in (sequence.map { event.sequence < $0 } ?? true) && filter.matches(event.draft) }
                    .prefix(max(0, limit)))
        }
    }

    @discardableResult
    public func appendAudit(_ drafts: [AuditDraft]) async throws(StoreError) -> [AuditEvent] {
        try transaction { state throws(StoreError) in
            for draft in drafts { state.appendAudit(draft) }
            return Array(state.audit.suffix(drafts.count))
        }
    }

    public func setContract(
        _ contract: Contract, eraseAt: Timestamp?, of id: SessionID, audit: AuditDraft
    ) async throws(StoreError) -> SessionRecord {
        try transaction { state throws(StoreError) in
            var record = try state.session(id)
            guard record.status == .verified, record.erasedAt == nil else { throw .conflict }
            record.contract = contract
            record.eraseAt = eraseAt
            state.sessions[id] = record
            state.appendAudit(audit)
            return record
        }
    }

    public func setHold(
        _ hold: LegalHold?, of id: SessionID, audit: AuditDraft
    ) async throws(StoreError) -> SessionRecord {
        try transaction { state throws(StoreError) in
            var record = try state.session(id)
            guard (record.hold == nil) != (hold == nil) else { throw .conflict }
            record.hold = hold
            state.sessions[id] = record
            state.appendAudit(audit)
            return record
        }
    }

    public func message(_ id: OutboxMessage.ID) async throws(StoreError) -> OutboxMessage? {
        try read { state throws(StoreError) in state.outbox[id]?.message }
    }
}

extension SessionRecord {
    /// Whether it is over for long enough, and neither a hold nor a contract keeps it.
    func mayBePurged(endedBefore instant: Timestamp) -> Bool {
        guard hold == nil, let endedAt, endedAt < instant else { return false }
        guard contract != Contract() else { return true }
        return erasedAt.map { $0 < instant } ?? false
    }
}
