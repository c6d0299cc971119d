import Ledger
public import VerificationCore

/// Reports run on the thread for what may take long: no session waits behind them.
extension SQLiteStore: UsageDatabase {
    var usageThread: DatabaseThread { searcher }

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

    public func isUntouched(after head: Int64, before end: Timestamp) async throws(StoreError) -> Bool {
        try await searcher.run { connection throws(StoreError) in
            try !UsageQueries.mayBelong(after: head, before: end, connection)
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
