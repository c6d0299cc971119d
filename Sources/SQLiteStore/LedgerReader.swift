public import VerificationCore

/// Reads the ledger of a database, also while a gateway has it open: it takes no lock and changes nothing.
public final class LedgerReader: UsageReading {
    let thread: DatabaseThread

    /// Opens a database that is there; a foreign or newer one is refused as ``SQLiteStore`` refuses it.
    public init(path: String) throws(StoreOpeningError) {
        thread = try DatabaseThread(reading: path)
    }

    /// Events of the ledger in order, from `sequence` on, at most `limit`.
    public func ledger(from sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try await thread.run { connection throws(StoreError) in
            try LedgerRow.read(from: sequence, limit: limit, connection)
        }
    }

    /// The `started` event of the first call that is kept otherwise than the ledger has it, or the first `closed` whose
    /// statement is not the one that it froze; `nil` where everything agrees. The chain itself is verified apart.
    public func firstDisagreement() async throws(StoreError) -> Int64? {
        try await thread.run { connection throws(StoreError) in
            let call = try UsageCheck.wrongCall(connection)
            let statement = try UsageCheck.wrongStatement(connection)
            return [call, statement].compactMap { $0 }.min()
        }
    }

    /// Lets go of the database.
    public func close() async { await thread.close() }
}

extension LedgerReader {
    public func usageNames() async throws(StoreError) -> UsageNames {
        try await thread.run { connection throws(StoreError) in try UsageQueries.names(connection) }
    }

    public func usageVerifiers() async throws(StoreError) -> [VerifierID] {
        try await thread.run { connection throws(StoreError) in try UsageQueries.verifiers(connection) }
    }

    public func usageCalls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int
    ) async throws(StoreError) -> [UsageCall] {
        try await thread.run { connection throws(StoreError) in
            try UsageQueries.calls(
                of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor, limit: limit, connection)
        }
    }

    public func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent] {
        try await thread.run { connection throws(StoreError) in try UsageQueries.events(sequences, connection) }
    }

    public func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent] {
        try await thread.run { connection throws(StoreError) in
            try UsageQueries.settlements(after: sequence, connection)
        }
    }

    public func statement(of month: String) async throws(StoreError) -> [UInt8]? {
        try await thread.run { connection throws(StoreError) in try UsageQueries.statement(of: month, connection) }
    }

    public func ledgerHead() async throws(StoreError) -> Int64 {
        try await thread.run { connection throws(StoreError) in try UsageQueries.head(connection) }
    }

    public func closings() async throws(StoreError) -> [LedgerEvent] {
        try await thread.run { connection throws(StoreError) in try UsageQueries.closings(connection) }
    }
}
