public import VerificationCore

/// Reads the ledger of a database, also while a gateway has it open: it takes no lock and changes nothing.
public final class LedgerReader: UsageDatabase {
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

    var usageThread: DatabaseThread { thread }

    /// Lets go of the database.
    public func close() async { await thread.close() }
}
