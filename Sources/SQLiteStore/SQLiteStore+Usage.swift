import Ledger
public import VerificationCore

/// Reports run on the thread for what may take long: no session waits behind them.
extension SQLiteStore {
    public func usageNames() async throws(StoreError) -> UsageNames {
        try await searcher.run { connection throws(StoreError) in try UsageQueries.names(connection) }
    }

    public func usageVerifiers() async throws(StoreError) -> [VerifierID] {
        try await searcher.run { connection throws(StoreError) in try UsageQueries.verifiers(connection) }
    }

    public func usageCalls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int
    ) async throws(StoreError) -> [UsageCall] {
        try await searcher.run { connection throws(StoreError) in
            try UsageQueries.calls(
                of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor, limit: limit, connection)
        }
    }

    public func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent] {
        try await searcher.run { connection throws(StoreError) in try UsageQueries.events(sequences, connection) }
    }

    public func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent] {
        try await searcher.run { connection throws(StoreError) in
            try UsageQueries.settlements(after: sequence, connection)
        }
    }

    public func statement(of month: String) async throws(StoreError) -> [UInt8]? {
        try await searcher.run { connection throws(StoreError) in try UsageQueries.statement(of: month, connection) }
    }

    public func ledgerHead() async throws(StoreError) -> Int64 {
        try await searcher.run { connection throws(StoreError) in try UsageQueries.head(connection) }
    }

    public func closings() async throws(StoreError) -> [LedgerEvent] {
        try await searcher.run { connection throws(StoreError) in try UsageQueries.closings(connection) }
    }

    public func close(
        _ closing: LedgerDraft, adjustments: [LedgerDraft], statement: [UInt8], head: Int64, monthEnd: Timestamp
    ) async throws(StoreError) -> LedgerEvent {
        try await writer.run { connection throws(StoreError) in
            guard let month = closing.closedMonth, try UsageQueries.head(connection) >= head,
                try !UsageQueries.mayBelong(after: head, before: monthEnd, connection)
            else { throw .conflict }
            try LedgerRow.append(adjustments + [closing], connection)
            try connection.execute(
                "INSERT INTO statement (month, bytes) VALUES (?, ?)", [.text(month), .blob(statement)])
            guard let event = try UsageQueries.events([try UsageQueries.head(connection)], connection).first else {
                throw .internal
            }
            return event
        }
    }

    public func append(_ events: [LedgerDraft], unlessSettledAfter head: Int64) async throws(StoreError) {
        try await writer.run { connection throws(StoreError) in
            guard try !UsageQueries.mayBelong(after: head, before: Timestamp(milliseconds: .min), connection) else {
                throw .conflict
            }
            try LedgerRow.append(events, connection)
        }
    }
}
