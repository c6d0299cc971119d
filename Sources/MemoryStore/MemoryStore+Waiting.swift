import Ledger
public import VerificationCore

extension MemoryStore {
    public func suspend(
        _ id: SessionID, _ suspension: Suspension, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord {
        try transaction { state throws(StoreError) in
            var record = try state.session(id)
            guard record.status == .processing else { throw .conflict }
            try state.check(ledger)
            record.wait = suspension.wait
            record.providerReference = suspension.providerReference ?? record.providerReference
            if let context = suspension.sealedContext, record.erasedAt == nil { record.sealedContext = context }
            state.give(suspension.eraseTicket, to: &record)
            state.sessions[id] = record
            state.append(ledger)
            return record
        }
    }

    public func takeDueWaits(
        at now: Timestamp, lease: Timestamp, limit: Int
    ) async throws(StoreError) -> [SessionRecord] {
        try transaction { state throws(StoreError) in
            let due = state.sessions.values.compactMap { record in
                record.status == .processing ? record.wait?.nextAt.map { (at: $0, record: record) } : nil
            }
            .filter { $0.at <= now }
            .sorted { ($0.at, $0.record.id.rawValue) < ($1.at, $1.record.id.rawValue) }
            return due.prefix(max(0, limit)).map { _, record in
                var record = record
                record.wait?.nextAt = lease
                state.sessions[record.id] = record
                return record
            }
        }
    }

    public func openCalls(limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in state.events(.started, without: .end, after: 0, limit: limit) }
    }

    public func uncertainCalls(after sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in
            state.events(.uncertain, without: .resolution, after: sequence, limit: limit)
        }
    }

    public func ledger(of session: SessionID) async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in state.ledger.filter { $0.draft.session == session } }
    }

    public func session(
        of verifier: VerifierID, providerReference: String
    ) async throws(StoreError) -> SessionRecord? {
        try read { state throws(StoreError) in
            state.sessions.values.filter { record in
                record.providerReference == providerReference
                    && (record.verifier == verifier || record.answeredBy == verifier)
            }.max { left, right in
                let (ours, theirs) = (left.isReferenceOf(verifier), right.isReferenceOf(verifier))
                return (ours ? 1 : 0, left.createdAt, left.id.rawValue)
                    < (theirs ? 1 : 0, right.createdAt, right.id.rawValue)
            }
        }
    }

    public func takeNotice(
        _ id: String, of verifier: VerifierID, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try transaction { state throws(StoreError) in
            let notice = MemoryNotice(verifier: verifier, id: id)
            guard state.notices[notice] == nil else { return false }
            state.notices[notice] = now
            return true
        }
    }
}

extension SessionRecord {
    /// Whether the reference is most likely this verifier's: that of the one that answered.
    fileprivate func isReferenceOf(_ verifier: VerifierID) -> Bool { (answeredBy ?? self.verifier) == verifier }
}
