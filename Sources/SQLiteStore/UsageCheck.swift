import Cryptography
import VerificationCore

/// Compares what is kept beside the ledger with the ledger: whoever could write the file could else change a report
/// without breaking the chain.
enum UsageCheck {
    /// Whether the event of a number is the last one of a call: none of its attempt and call follows that ends it.
    private static let isLast = """
        NOT EXISTS (SELECT 1 FROM ledger AS x WHERE x.attempt = l.attempt AND x.call = l.call
            AND x.kind IN ('ended', 'uncertain') AND x.sequence > u.last_sequence)
        AND NOT EXISTS (SELECT 1 FROM ledger AS x WHERE x.attempt = l.attempt AND x.call = l.call
            AND x.kind = 'resolved' AND x.sequence > u.last_sequence)
        """

    /// The first `started` whose call is not as the ledger has it; each table is read once, by its numbers.
    static let firstWrongCall = """
        SELECT l.sequence FROM ledger AS l
        LEFT JOIN usage_call AS u ON u.sequence = l.sequence
        LEFT JOIN ledger AS e ON e.sequence = u.last_sequence
        LEFT JOIN usage_name AS v ON v.number = u.verifier
        LEFT JOIN usage_name AS c ON c.number = u.client
        LEFT JOIN usage_name AS p ON p.number = u.purpose
        WHERE l.kind = 'started' AND NOT coalesce(
            v.name = l.verifier AND c.name = l.client AND p.name = l.purpose AND u.started_at = l.at
            AND u.role = \(place("l.role", UsageRow.roles))
            AND u.submission = coalesce(l.call = 'submit', 1)
            AND e.attempt = l.attempt AND e.call IS l.call
            AND (e.sequence = l.sequence OR e.kind IN ('ended', 'uncertain', 'resolved'))
            AND u.state = CASE e.kind WHEN 'started' THEN 0 WHEN 'ended' THEN 1 WHEN 'uncertain' THEN 2 ELSE 3 END
            AND u.outcome IS \(place("e.outcome", UsageRow.outcomes)) AND u.quantity = e.quantity
            AND u.class = \(place("e.billable_class", UsageRow.classes))
            AND u.ended_at IS CASE WHEN e.sequence = l.sequence THEN NULL
                WHEN e.kind = 'resolved' THEN coalesce((SELECT x.at FROM ledger AS x WHERE x.attempt = l.attempt
                    AND x.call = l.call AND x.kind IN ('ended', 'uncertain')), e.at) ELSE e.at END
            AND (e.provider_time IS NULL OR u.provider_time IS e.provider_time)
            AND u.by_end = coalesce(u.ended_at, u.started_at)
            AND u.by_provider = coalesce(u.provider_time, u.ended_at, u.started_at)
            AND \(isLast), 0)
        ORDER BY l.sequence LIMIT 1
        """

    static func wrongCall(_ connection: Connection) throws(StoreError) -> Int64? {
        let wrong = try connection.first(firstWrongCall) { row throws(StoreError) in try row.integer(0) }
        if let wrong { return wrong }
        // A call that no event started.
        return try connection.first(
            """
            SELECT u.sequence FROM usage_call AS u LEFT JOIN ledger AS l ON l.sequence = u.sequence
            WHERE l.kind IS NOT 'started' ORDER BY u.sequence LIMIT 1
            """
        ) { row throws(StoreError) in try row.integer(0) }
    }

    /// The first `closed` whose statement is not the one that it froze.
    static func wrongStatement(_ connection: Connection) throws(StoreError) -> Int64? {
        let closings = try connection.query(
            """
            SELECT l.sequence, l.statement, s.bytes FROM ledger AS l LEFT JOIN statement AS s ON s.month = l.month
            WHERE l.kind = 'closed' AND l.statement IS NOT NULL ORDER BY l.sequence
            """
        ) { row throws(StoreError) in
            (sequence: try row.integer(0), hash: try row.blob(1), bytes: try row.blobOrNull(2))
        }
        return closings.first { $0.bytes.map { Hash.sha256($0) } != $0.hash }?.sequence
    }

    private static func place<Word: RawRepresentable>(_ column: String, _ words: [Word]) -> String
    where Word.RawValue == String {
        let cases = words.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }.joined(separator: " ")
        return "CASE \(column) \(cases) END"
    }
}
