import VerificationCore

/// Whatever has a thread on which the ledger's usage is read: the store, and the reader beside it.
protocol UsageDatabase: UsageReading {
    /// The thread, whose connection may only read.
    var usageThread: DatabaseThread { get }
}

extension UsageDatabase {
    public func usageNames() async throws(StoreError) -> UsageNames {
        try await usageThread.run { connection throws(StoreError) in try UsageQueries.names(connection) }
    }

    public func usageVerifiers() async throws(StoreError) -> [VerifierID] {
        try await usageThread.run { connection throws(StoreError) in try UsageQueries.verifiers(connection) }
    }

    public func usageCalls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int
    ) async throws(StoreError) -> [UsageCall] {
        try await usageThread.run { connection throws(StoreError) in
            try UsageQueries.calls(
                of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor, limit: limit, connection)
        }
    }

    public func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent] {
        try await usageThread.run { connection throws(StoreError) in try UsageQueries.events(sequences, connection) }
    }

    public func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent] {
        try await usageThread.run { connection throws(StoreError) in
            try UsageQueries.settlements(after: sequence, connection)
        }
    }

    public func statement(of month: String) async throws(StoreError) -> [UInt8]? {
        try await usageThread.run { connection throws(StoreError) in try UsageQueries.statement(of: month, connection) }
    }

    public func ledgerHead() async throws(StoreError) -> Int64 {
        try await usageThread.run { connection throws(StoreError) in try UsageQueries.head(connection) }
    }

    public func closings() async throws(StoreError) -> [LedgerEvent] {
        try await usageThread.run { connection throws(StoreError) in try UsageQueries.closings(connection) }
    }
}
