import VerificationCore

/// What reports read, for the store and for readers beside it.
enum UsageQueries {
    /// The most calls that one read returns: a read is one statement and must stay short.
    static let readLimit = 10_000

    static func names(_ connection: Connection) throws(StoreError) -> UsageNames {
        UsageNames(
            try connection.query("SELECT name FROM usage_name ORDER BY number") { row throws(StoreError) in
                try row.text(0)
            })
    }

    static func verifiers(_ connection: Connection) throws(StoreError) -> [VerifierID] {
        try connection.query(
            """
            SELECT n.name FROM usage_name AS n
            WHERE EXISTS (SELECT 1 FROM usage_call AS u WHERE u.verifier = n.number) ORDER BY n.name
            """
        ) { row throws(StoreError) in VerifierID(try row.text(0)) }
    }

    /// `changedOnly` finds a few calls among all by what was written last, and not by their time.
    static func statement(by rule: BillingTime, changedOnly: Bool) -> String {
        let time =
            switch rule {
            case .started: "started_at"
            case .ended: "by_end"
            case .provider: "by_provider"
            }
        return UsageRow.select + (changedOnly ? " INDEXED BY usage_changed" : "") + """
             WHERE verifier = ? AND (\(time), sequence) > (?, ?) AND \(time) < ? AND last_sequence > ?
            ORDER BY \(time), sequence LIMIT ?
            """
    }

    static func calls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int, _ connection: Connection
    ) throws(StoreError) -> [UsageCall] {
        guard let number = try UsageRow.known(verifier.rawValue, connection) else { return [] }
        // Sequence numbers begin at 1: zero is before every call of its time.
        var from = UsageCursor(time: range.lowerBound, sequence: 0)
        if let cursor, (from.time, from.sequence) < (cursor.time, cursor.sequence) { from = cursor }
        let words = UsageRow.Words()
        return try connection.query(
            statement(by: rule, changedOnly: changedAfter > 0),
            [
                .integer(Int64(number)), .time(from.time), .integer(from.sequence), .time(range.upperBound),
                .integer(changedAfter), .limit(min(limit, readLimit)),
            ]
        ) { row throws(StoreError) in try words.read(row) }
    }

    /// The events whose numbers are there, in the order in which they were asked for.
    static func events(_ sequences: [Int64], _ connection: Connection) throws(StoreError) -> [LedgerEvent] {
        var events: [LedgerEvent] = []
        for sequence in sequences {
            events += try LedgerRow.read(LedgerRow.select + " WHERE l.sequence = ?", [.integer(sequence)], connection)
        }
        return events
    }

    static let settlementsStatement =
        LedgerRow.select + " WHERE l.kind IN ('adjusted', 'closed') AND l.sequence > ? ORDER BY l.sequence"

    // The index of settlements has them in order; closings are few among them.
    static let closingsStatement =
        LedgerRow.select
        + " WHERE l.kind IN ('adjusted', 'closed') AND l.kind = 'closed' ORDER BY l.sequence"

    static func settlements(after sequence: Int64, _ connection: Connection) throws(StoreError) -> [LedgerEvent] {
        try LedgerRow.read(settlementsStatement, [.integer(sequence)], connection)
    }

    static func statement(of month: String, _ connection: Connection) throws(StoreError) -> [UInt8]? {
        try connection.first("SELECT bytes FROM statement WHERE month = ?", [.text(month)]) {
            row throws(StoreError) in try row.blob(0)
        }
    }

    static func head(_ connection: Connection) throws(StoreError) -> Int64 {
        try connection.first("SELECT coalesce(max(sequence), 0) FROM ledger") { row throws(StoreError) in
            try row.integer(0)
        } ?? 0
    }

    /// Whether an event after `head` settles or corrects something, or is of a call with a time before an instant.
    static func mayBelong(
        after head: Int64, before end: Timestamp, _ connection: Connection
    ) throws(StoreError) -> Bool {
        try connection.first(
            """
            SELECT 1 FROM ledger AS l WHERE l.sequence > ? AND (l.kind NOT IN ('started', 'ended', 'uncertain')
                OR l.at < ? OR l.provider_time < ? OR EXISTS (SELECT 1 FROM ledger AS s WHERE s.attempt = l.attempt
                    AND s.call = l.call AND s.kind = 'started' AND s.at < ?)) LIMIT 1
            """, [.integer(head), .time(end), .time(end), .time(end)]
        ) { row throws(StoreError) in try row.integer(0) } != nil
    }

    static func closings(_ connection: Connection) throws(StoreError) -> [LedgerEvent] {
        try LedgerRow.read(closingsStatement, [], connection)
    }
}
