import Ledger
import Synchronization
public import VerificationCore

/// A ``Store`` that keeps everything in the memory of one process, for development and tests: it passes the same suite
/// as the others, and forgets everything at the end.
public final class MemoryStore: Store {
    private let state = Mutex(MemoryState())

    /// An empty store.
    public init() {}

    /// Runs one transaction. Each checks all it can fail of before its first change, so what threw left no trace.
    func transaction<Result: Sendable>(
        _ body: (inout MemoryState) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let outcome: Swift.Result<Result, StoreError> = state.withLock { state in
            guard !state.isClosed else { return .failure(.closed) }
            do throws(StoreError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    func read<Result: Sendable>(
        _ body: (borrowing MemoryState) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let outcome: Swift.Result<Result, StoreError> = state.withLock { state in
            guard !state.isClosed else { return .failure(.closed) }
            do throws(StoreError) {
                return .success(try body(state))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    public func create(
        _ session: SessionRecord, idempotency: IdempotencyRecord?, ledger: [LedgerDraft]
    ) async throws(StoreError) -> CreateOutcome {
        try transaction { state throws(StoreError) in
            if let idempotency, let earlier = state.idempotency[idempotency.key] { return .existing(earlier) }
            guard state.sessions[session.id] == nil, !state.nonces.contains(session.nonce) else {
                throw .alreadyExists
            }
            try state.check(ledger)
            state.sessions[session.id] = session
            state.nonces.insert(session.nonce)
            state.keep(idempotency)
            state.append(ledger)
            return .created
        }
    }

    public func session(_ id: SessionID) async throws(StoreError) -> SessionRecord {
        try read { state throws(StoreError) in try state.session(id) }
    }

    public func idempotency(_ key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try read { state throws(StoreError) in state.idempotency[key] }
    }

    public func claim(
        _ id: SessionID, at now: Timestamp, processingDeadline: Timestamp, idempotency: IdempotencyRecord?,
        ledger: [LedgerDraft]
    ) async throws(StoreError) -> ClaimOutcome {
        try transaction { state throws(StoreError) in
            var record = try state.session(id)
            switch record.status {
            case .created:
                guard now <= record.expiresAt else {
                    return .expired(try state.end(record, by: .expire, at: now))
                }
                if let idempotency, state.idempotency[idempotency.key] != nil { throw .conflict }
                try state.check(ledger)
                record.claimedAt = now
                record.processingDeadline = processingDeadline
                record = try state.move(record, by: .claim)
                state.keep(idempotency)
                state.append(ledger)
                return .claimed(record)
            case .expired: return .expired(record)
            case .cancelled: return .cancelled(record)
            case .processing, .verified, .rejected, .failed:
                return .alreadySubmitted(record, by: idempotency.flatMap { state.idempotency[$0.key] })
            }
        }
    }

    public func conclude(
        _ id: SessionID, with ending: SessionEnding, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord {
        try transaction { state throws(StoreError) in
            var record = try state.session(id)
            guard record.status.after(ending.event) != nil else { throw .conflict }
            try state.check(ledger)
            record.report = ending.report
            record.sealedResult = record.erasedAt == nil ? ending.sealedResult : nil
            record.answeredBy = ending.answeredBy ?? record.answeredBy
            record.certification = ending.certification ?? record.certification
            state.give(ending.eraseTicket, to: &record)
            record.providerReference = ending.providerReference ?? record.providerReference
            record.eraseAt = ending.eraseAt ?? record.eraseAt
            record.legalMethod = ending.legalMethod
            record.confirmedClaims = ending.confirmedClaims
            if case .failed(let code) = ending.kind { record.failure = code }
            record = try state.end(record, by: ending.event, at: ending.at)
            for incident in ending.incidents {
                state.incidents[incident, default: 0] += 1
                state.appendAudit(.incident(incident, of: record, at: ending.at))
            }
            state.append(ledger)
            return record
        }
    }

    public func cancel(_ id: SessionID, reason: String?, at now: Timestamp) async throws(StoreError) -> SessionRecord {
        try transaction { state throws(StoreError) in
            var record = try state.session(id)
            record.cancelReason = reason
            return try state.end(record, by: .cancel, at: now)
        }
    }

    public func expire(at now: Timestamp) async throws(StoreError) -> Int {
        try transaction { state throws(StoreError) in
            let due = state.sessions.values.filter { $0.status == .created && $0.expiresAt < now }
            for record in due { _ = try state.end(record, by: .expire, at: now) }
            return due.count
        }
    }

    public func failProcessing(
        deadlineBefore now: Timestamp?, endedAt: Timestamp, as failure: FailureCode
    ) async throws(StoreError) -> [SessionRecord] {
        try transaction { state throws(StoreError) in
            var ended: [SessionRecord] = []
            for var record in state.sessions.values where record.status == .processing {
                if let now {
                    guard let deadline = record.processingDeadline, deadline < now else { continue }
                }
                record.failure = failure
                ended.append(try state.end(record, by: .fail, at: endedAt))
            }
            return ended
        }
    }

    public func erase(
        _ id: SessionID, by actor: String, at now: Timestamp
    ) async throws(StoreError) -> SessionRecord {
        try transaction { state throws(StoreError) in
            let record = try state.session(id)
            guard record.hold == nil || record.erasedAt != nil else { throw .held }
            return try state.erase(record, by: actor, .requested, at: now)
        }
    }

    public func eraseDue(at now: Timestamp) async throws(StoreError) -> Int {
        try transaction { state throws(StoreError) in
            let due = state.sessions.values.filter { record in
                record.erasedAt == nil && record.hold == nil && (record.eraseAt.map { $0 <= now } ?? false)
            }
            for record in due { _ = try state.erase(record, .retention, at: now) }
            return due.count
        }
    }

    public func purge(endedBefore instant: Timestamp, at now: Timestamp) async throws(StoreError) -> Int {
        try transaction { state throws(StoreError) in
            let due = state.sessions.values.filter { $0.mayBePurged(endedBefore: instant) }
            let names = Set(due.map(\.id))
            for record in due {
                _ = try state.erase(record, .purge, at: now)
                state.sessions[record.id] = nil
                state.nonces.remove(record.nonce)
            }
            state.idempotency = state.idempotency.filter { !names.contains($0.value.session) }
            state.purgeMessages(of: names, before: instant)
            if !due.isEmpty { state.appendAudit(.purged(Array(due), at: now)) }
            return due.count
        }
    }

    public func append(_ events: [LedgerDraft]) async throws(StoreError) {
        try transaction { state throws(StoreError) in
            try state.check(events)
            state.append(events)
        }
    }

    public func ledger(from sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in
            let start = Int(clamping: max(sequence, 1)) - 1
            guard start < state.ledger.count, limit > 0 else { return [] }
            return Array(state.ledger[start...].prefix(limit))
        }
    }

    public func counts() async throws(StoreError) -> [SessionStatus: Int] {
        try read { state throws(StoreError) in
            state.sessions.values.reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
        }
    }

    public func incidents() async throws(StoreError) -> [Incident: Int] {
        try read { state throws(StoreError) in state.incidents }
    }

    public func sealingKeyNames() async throws(StoreError) -> Set<String> {
        try read { state throws(StoreError) in
            Set(state.sessions.values.flatMap { [$0.wrappedKey?.keyID, $0.eraseTicket?.keyID].compactMap { $0 } })
                .union(state.outbox.values.filter(\.isWaiting).compactMap { $0.message.ticket?.keyID })
        }
    }

    public func setting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try read { state throws(StoreError) in state.settings[name] }
    }

    public func keepSetting(_ name: String, _ value: [UInt8]) async throws(StoreError) -> [UInt8] {
        try transaction { state throws(StoreError) in
            if let kept = state.settings[name] { return kept }
            state.settings[name] = value
            return value
        }
    }

    public func probe(at now: Timestamp) async throws(StoreError) {
        try transaction { state throws(StoreError) in state.probedAt = now }
    }

    public func close() async {
        state.withLock { $0.isClosed = true }
    }
}
