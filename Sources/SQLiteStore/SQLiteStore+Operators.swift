public import VerificationCore

extension SQLiteStore {
    /// Runs on a thread of its own: a search that finds little may look at many sessions, and nobody waits behind it.
    public func sessions(
        _ filter: SessionFilter, olderThan cursor: SessionCursor?, limit: Int
    ) async throws(StoreError) -> [SessionRecord] {
        try await searcher.run { connection throws(StoreError) in
            try SessionSearch(filter, olderThan: cursor, limit: limit).run(connection)
        }
    }

    public func pinned() async throws(StoreError) -> [PinnedSessions] {
        try await reader.run { connection throws(StoreError) in try Self.pinned(connection) }
    }

    static func pinned(_ connection: Connection) throws(StoreError) -> [PinnedSessions] {
        try connection.query(
            """
            SELECT verifier, status, configuration_version, count(*) FROM session
            WHERE status IN ('created', 'processing')
            GROUP BY verifier, configuration_version, status ORDER BY verifier, configuration_version, status
            """
        ) { row throws(StoreError) in
            PinnedSessions(
                verifier: VerifierID(try row.text(0)), status: try row.word(1), configurationVersion: try row.text(2),
                count: Int(try row.integer(3)))
        }
    }

    public func addShadowCounts(_ counts: [ShadowCount]) async throws(StoreError) {
        try await writer.run { connection throws(StoreError) in
            for count in counts {
                try connection.execute(
                    """
                    INSERT INTO shadow_count (day, answering, shadow, subject, outcome, count) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """,
                    [
                        .integer(count.day.daysSinceEpoch), .text(count.primary.rawValue),
                        .text(count.shadow.rawValue), .text(count.subject), .text(count.outcome.rawValue),
                        .integer(Int64(count.count)),
                    ])
            }
        }
    }

    public func shadowCounts(from: CivilDate, until: CivilDate) async throws(StoreError) -> [ShadowCount] {
        try await reader.run { connection throws(StoreError) in
            try connection.query(
                """
                SELECT day, answering, shadow, subject, outcome, count FROM shadow_count
                WHERE day >= ? AND day < ? ORDER BY day, answering, shadow, subject, outcome
                """, [.integer(from.daysSinceEpoch), .integer(until.daysSinceEpoch)]
            ) { row throws(StoreError) in
                ShadowCount(
                    day: CivilDate(daysSinceEpoch: try row.integer(0)), primary: VerifierID(try row.text(1)),
                    shadow: VerifierID(try row.text(2)), subject: try row.text(3), outcome: try row.word(4),
                    count: Int(try row.integer(5)))
            }
        }
    }
}
