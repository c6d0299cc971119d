import Ledger
import VerificationCore

/// All that a ``MemoryStore`` holds, and the steps that its transactions are made of.
struct MemoryState: Sendable {
    var sessions: [SessionID: SessionRecord] = [:]
    var nonces: Set<Nonce> = []
    var idempotency: [IdempotencyKey: IdempotencyRecord] = [:]
    var ledger: [LedgerEvent] = []
    var incidents: [Incident: Int] = [:]
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
        sessions[record.id] = record
        return record
    }

    mutating func end(_ record: SessionRecord, by event: SessionEvent, at now: Timestamp) throws(StoreError)
        -> SessionRecord
    {
        var record = record
        record.endedAt = now
        return try move(record, by: event)
    }

    mutating func erase(_ record: SessionRecord, at now: Timestamp) throws(StoreError) -> SessionRecord {
        guard record.erasedAt == nil else { return record }
        var record = record
        record.wrappedKey = nil
        record.sealedContext = nil
        record.sealedResult = nil
        record.referenceIndex = nil
        record.erasedAt = now
        // Without its context it could not be verified any more, so what waits for a submission is cancelled.
        if record.status == .created { return try end(record, by: .cancel, at: now) }
        sessions[record.id] = record
        return record
    }

    mutating func keep(_ record: IdempotencyRecord?) {
        if let record { idempotency[record.key] = record }
    }

    mutating func append(_ drafts: [LedgerDraft]) {
        for draft in drafts { ledger.append(LedgerChain.append(draft, after: ledger.last)) }
    }
}
