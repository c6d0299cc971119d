import Ledger
import VerificationCore

/// All that a ``MemoryStore`` holds, and the steps that its transactions are made of.
struct MemoryState: Sendable {
    var sessions: [SessionID: SessionRecord] = [:]
    var nonces: Set<Nonce> = []
    var idempotency: [IdempotencyKey: IdempotencyRecord] = [:]
    var ledger: [LedgerEvent] = []
    /// What the ledger tells of calls, and where.
    var calls: [CallEntry: Int64] = [:]
    /// The months that are closed, with their statements where there are any.
    var months: [String: [UInt8]?] = [:]
    var usage: MemoryUsage = MemoryUsage()
    var outbox: [OutboxMessage.ID: MemoryMessage] = [:]
    /// The names that something was told under.
    var told: Set<String> = []
    var notices: [MemoryNotice: Timestamp] = [:]
    /// The counts, by what they are about with a count of zero.
    var shadowCounts: [ShadowCount: Int] = [:]
    var incidents: [Incident: Int] = [:]
    var audit: [AuditEvent] = []
    var settings: [String: [UInt8]] = [:]
    var probedAt: Timestamp?
    var isClosed = false

    func session(_ id: SessionID) throws(StoreError) -> SessionRecord {
        guard let record = sessions[id] else { throw .notFound }
        return record
    }

    /// Moves a session by the one table of states, and keeps it.
    mutating func move(_ record: SessionRecord, by event: SessionEvent) throws(StoreError) -> SessionRecord {
        guard let next = record.status.after(event) else { throw .conflict }
        var record = record
        record.status = next
        if next.isFinal { record.wait = nil }
        sessions[record.id] = record
        return record
    }

    mutating func end(_ record: SessionRecord, by event: SessionEvent, at now: Timestamp) throws(StoreError)
        -> SessionRecord
    {
        var record = record
        record.endedAt = now
        record = try move(record, by: event)
        if record.notifies { write(.sessionEnded, of: record, at: now) }
        return record
    }

    mutating func erase(
        _ record: SessionRecord, by actor: String = AuditDraft.gateway, _ rule: AuditDraft.ErasureRule,
        at now: Timestamp
    ) throws(StoreError) -> SessionRecord {
        guard record.erasedAt == nil else { return record }
        appendAudit(.erased(record, by: actor, rule, at: now))
        var record = record
        record.wrappedKey = nil
        record.sealedContext = nil
        record.sealedResult = nil
        record.referenceIndex = nil
        record.erasedAt = now
        give(record.eraseTicket, to: &record)
        // Without its context it could not be verified any more, so what waits for a submission is cancelled.
        if record.status == .created { return try end(record, by: .cancel, at: now) }
        sessions[record.id] = record
        return record
    }

    /// Keeps a ticket in its session until that is erased; from then on it goes straight to the outbox.
    mutating func give(_ ticket: SealedBytes?, to record: inout SessionRecord) {
        guard let ticket else { return }
        guard let erasedAt = record.erasedAt else {
            record.eraseTicket = ticket
            return
        }
        record.eraseTicket = nil
        write(.providerErasure, of: record, ticket: ticket, at: erasedAt)
    }

    mutating func keep(_ record: IdempotencyRecord?) {
        if let record { idempotency[record.key] = record }
    }

    /// Throws where an event would tell the same part of a call, or close a month, a second time.
    func check(_ drafts: [LedgerDraft]) throws(StoreError) {
        var told: Set<CallEntry> = []
        for entry in drafts.compactMap(CallEntry.init) {
            guard calls[entry] == nil, told.insert(entry).inserted else { throw .conflict }
        }
        var closed: Set<String> = []
        for month in drafts.compactMap(\.closedMonth) {
            guard months[month] == nil, closed.insert(month).inserted else { throw .conflict }
        }
    }

    /// Puts an event at the end of the audit chain.
    mutating func appendAudit(_ draft: AuditDraft) {
        audit.append(AuditChain.append(draft, after: audit.last))
    }

    /// Puts events at the end of the chain, which were checked.
    mutating func append(_ drafts: [LedgerDraft]) {
        for draft in drafts {
            let event = LedgerChain.append(draft, after: ledger.last)
            ledger.append(event)
            if let entry = CallEntry(draft) { calls[entry] = event.sequence }
            if let month = draft.closedMonth { months[month] = .some(nil) }
            usage.take(event)
        }
    }

    /// Events that tell of a call's part and have no event that tells of the next one.
    func events(_ kind: LedgerDraft.Kind, without part: CallPart, after sequence: Int64, limit: Int) -> [LedgerEvent] {
        Array(
            ledger.lazy.filter { event in
                guard event.sequence > sequence, event.draft.kind == kind, let call = event.draft.call else {
                    return false
                }
                return calls[CallEntry(attempt: event.draft.attempt, call: call, part: part)] == nil
            }.prefix(max(0, limit)))
    }
}
