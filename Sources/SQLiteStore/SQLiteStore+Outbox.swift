public import VerificationCore

extension SQLiteStore {
    public func takeDueMessages(
        at now: Timestamp, lease: Timestamp, limit: Int
    ) async throws(StoreError) -> [OutboxMessage] {
        try await writer.run { connection throws(StoreError) in
            let due = try connection.query(
                OutboxRow.due, [.time(now), .limit(limit)]
            ) { row throws(StoreError) in (number: try row.integer(12), message: try OutboxRow.read(row)) }
            var taken: [OutboxMessage] = []
            for (number, message) in due {
                try connection.execute(
                    "UPDATE outbox SET next_at = ?, renewed = 0 WHERE number = ?", [.time(lease), .integer(number)])
                var message = message
                message.nextAt = lease
                taken.append(message)
            }
            return taken
        }
    }

    public func settle(
        _ message: OutboxMessage.ID, _ settlement: OutboxSettlement, audit: AuditDraft?
    ) async throws(StoreError) {
        // Whoever took a message that has a new ticket since settles nothing.
        let taken = "WHERE id = ? AND dead_at IS NULL AND renewed = 0"
        let (sql, values): (String, [SQLValue]) =
            switch settlement {
            case .delivered: ("DELETE FROM outbox \(taken)", [.text(message)])
            case .retry(let at, let error):
                (
                    "UPDATE outbox SET next_at = ?, last_error = ?, tries = tries + 1 \(taken)",
                    [.time(at), .text(error), .text(message)]
                )
            case .dead(let at, let error):
                (
                    "UPDATE outbox SET dead_at = ?, last_error = ?, tries = tries + 1 \(taken)",
                    [.time(at), .text(error), .text(message)]
                )
            }
        try await writer.run { connection throws(StoreError) in
            let changed = try connection.execute(sql, values)
            if changed == 1, let audit { try AuditRow.append([audit], connection) }
        }
    }

    public func reviveMessage(_ message: OutboxMessage.ID, at now: Timestamp) async throws(StoreError) {
        let revived = try await writer.run { connection throws(StoreError) in
            try connection.execute(
                "UPDATE outbox SET dead_at = NULL, tries = 0, next_at = ? WHERE id = ? AND dead_at IS NOT NULL",
                [.time(now), .text(message)])
        }
        guard revived == 1 else { throw .notFound }
    }

    public func deadMessages(limit: Int) async throws(StoreError) -> [OutboxMessage] {
        try await reader.run { connection throws(StoreError) in
            try connection.query(
                OutboxRow.dead, [.limit(limit)]
            ) { row throws(StoreError) in try OutboxRow.read(row) }
        }
    }

    public func tell(
        _ name: String, _ message: OutboxMessage?, audit: AuditDraft
    ) async throws(StoreError) -> Bool {
        try await writer.run { connection throws(StoreError) in
            let isNew = try connection.execute(
                "INSERT INTO told (name, at) VALUES (?, ?) ON CONFLICT DO NOTHING", [.text(name), .time(audit.at)])
            guard isNew == 1 else { return false }
            if let message { try OutboxRow.write(message, connection) }
            try AuditRow.append([audit], connection)
            return true
        }
    }

    public func outboxCounts() async throws(StoreError) -> OutboxCounts {
        let counts = try await reader.run { connection throws(StoreError) in
            try connection.first(
                """
                SELECT (SELECT count(*) FROM outbox WHERE dead_at IS NULL),
                    (SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL)
                """
            ) { row throws(StoreError) in
                OutboxCounts(waiting: Int(try row.integer(0)), dead: Int(try row.integer(1)))
            }
        }
        guard let counts else { throw .internal }
        return counts
    }
}
