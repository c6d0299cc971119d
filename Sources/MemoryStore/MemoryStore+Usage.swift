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
        _ closing: LedgerDraft, adjustments: [LedgerDraft], statement: [UInt8], head: Int64, monthEnd: Timestamp
    ) async throws(StoreError) -> LedgerEvent {
        try transaction { state throws(StoreError) in
            guard let month = closing.closedMonth, state.ledger.last?.sequence ?? 0 >= head,
                !state.mayBelong(after: head, before: monthEnd)
            else { throw .conflict }
            try state.check(adjustments + [closing])
            state.append(adjustments + [closing])
            state.months[month] = statement
            guard let event = state.ledger.last else { throw .internal }
            return event
        }
    }

    public func isUntouched(after head: Int64, before end: Timestamp) async throws(StoreError) -> Bool {
        try read { state throws(StoreError) in !state.mayBelong(after: head, before: end) }
    }

    public func append(_ events: [LedgerDraft], unlessSettledAfter head: Int64) async throws(StoreError) {
        try transaction { state throws(StoreError) in
            guard !state.mayBelong(after: head, before: Timestamp(milliseconds: .min)) else { throw .conflict }
            try state.check(events)
            state.append(events)
        }
    }
}

extension MemoryState {
    /// Whether an event after `head` settles or corrects something, or is of a call with a time before an instant.
    fileprivate func mayBelong(after head: Int64, before end: Timestamp) -> Bool {
        ledger.dropFirst(Int(max(0, head))).contains { event in
            switch event.draft.kind {
            case .resolved, .adjusted, .closed: return true
            case .started, .ended, .uncertain: break
            }
            if event.draft.at < end || event.draft.providerTime.map({ $0 < end }) ?? false { return true }
            return ledger.contains {
                event.draft.call != nil && $0.draft.kind == .started && $0.draft.attempt == event.draft.attempt
                    && $0.draft.call == event.draft.call && $0.draft.at < end
            }
        }
    }
}
