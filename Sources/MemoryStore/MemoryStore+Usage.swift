import Ledger
public import VerificationCore

extension MemoryStore {
    public func usageNames() async throws(StoreError) -> UsageNames {
        try read { state throws(StoreError) in UsageNames(state.usage.names) }
    }

    public func usageVerifiers() async throws(StoreError) -> [VerifierID] {
        try read { state throws(StoreError) in
            Set(state.usage.calls.values.map(\.verifier)).map { state.usage.names[Int($0)] }.sorted()
                .map { VerifierID($0) }
        }
    }

    public func usageCalls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int
    ) async throws(StoreError) -> [UsageCall] {
        try read { state throws(StoreError) in
            guard let number = state.usage.known(verifier.rawValue) else { return [] }
            let found = state.usage.calls.values.filter { call in
                let time = call.time(by: rule)
                return call.verifier == number && range.contains(time) && call.lastSequence > changedAfter
                    && (cursor.map { ($0.time, $0.sequence) < (time, call.sequence) } ?? true)
            }.sorted { ($0.time(by: rule), $0.sequence) < ($1.time(by: rule), $1.sequence) }
            return Array(found.prefix(max(0, limit)))
        }
    }

    public func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in
            sequences.compactMap { sequence in
                sequence > 0 && sequence <= state.ledger.count ? state.ledger[Int(sequence) - 1] : nil
            }
        }
    }

    public func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in
            state.ledger.filter {
                $0.sequence > sequence && ($0.draft.kind == .adjusted || $0.draft.kind == .closed)
            }
        }
    }

    public func statement(of month: String) async throws(StoreError) -> [UInt8]? {
        try read { state throws(StoreError) in state.months[month] ?? nil }
    }

    public func ledgerHead() async throws(StoreError) -> Int64 {
        try read { state throws(StoreError) in state.ledger.last?.sequence ?? 0 }
    }

    public func closings() async throws(StoreError) -> [LedgerEvent] {
        try read { state throws(StoreError) in state.ledger.filter { $0.draft.kind == .closed } }
    }

    public func close(
        _ closing: LedgerDraft, adjustments: [LedgerDraft], statement: [UInt8], head: Int64
    ) async throws(StoreError) -> LedgerEvent {
        try transaction { state throws(StoreError) in
            guard let month = closing.closedMonth, state.ledger.last?.sequence ?? 0 == head else { throw .conflict }
            try state.check(adjustments + [closing])
            state.append(adjustments + [closing])
            state.months[month] = statement
            guard let event = state.ledger.last else { throw .internal }
            return event
        }
    }
}
