import Ledger
public import VerificationCore

extension SQLiteStore {
    /// The most sessions that one transaction of a sweep changes, so that nobody waits long behind it.
    static let sweep: Int64 = 500

    public func expire(at now: Timestamp) async throws(StoreError) -> Int {
        try await sweeping { connection throws(StoreError) in
            guard let expired = SessionStatus.created.after(.expire) else { throw .conflict }
            return try connection.execute(
                """
                UPDATE session SET status = ?, ended_at = ? WHERE number IN
                    (SELECT number FROM session WHERE status = 'created' AND expires_at < ? LIMIT ?)
                """, [.text(expired.rawValue), .time(now), .time(now), .integer(Self.sweep)])
        }
    }

    public func failProcessing(
        deadlineBefore now: Timestamp?, endedAt: Timestamp, as failure: FailureCode
    ) async throws(StoreError) -> [SessionRecord] {
        try await writer.run { connection throws(StoreError) in
            let due = try connection.query(
                "SELECT id FROM session WHERE status = 'processing' AND (?1 IS NULL OR processing_deadline < ?1)",
                [.time(orNull: now)]
            ) { row throws(StoreError) in SessionID(try row.text(0)) }
            var ended: [SessionRecord] = []
            for id in due {
                _ = try Self.end(id, by: .fail, from: .processing, at: endedAt, connection)
                try connection.execute(
                    "UPDATE session SET failure = ? WHERE id = ?", [.text(failure.rawValue), .text(id.rawValue)])
                ended.append(try SessionRow.find(id, connection).record)
            }
            return ended
        }
    }

    public func erase(
        _ id: SessionID, by actor: String, at now: Timestamp
    ) async throws(StoreError) -> SessionRecord {
        try await writer.run(erased: { _ in true }) { connection throws(StoreError) in
            let row = try SessionRow.find(id, connection)
            guard row.record.hold == nil || row.record.erasedAt != nil else { throw .held }
            try Self.erase(row, by: actor, .requested, at: now, connection)
            return try SessionRow.find(id, connection).record
        }
    }

    public func eraseDue(at now: Timestamp) async throws(StoreError) -> Int {
        try await sweeping(erasing: true) { connection throws(StoreError) in
            let due = try connection.query(
                SessionRow.select + " WHERE s.erased_at IS NULL AND s.erase_at <= ? AND s.hold_reason IS NULL LIMIT ?",
                [.time(now), .integer(Self.sweep)]
            ) { row throws(StoreError) in try SessionRow(row) }
            for row in due { try Self.erase(row, .retention, at: now, connection) }
            return due.count
        }
    }

    public func purge(endedBefore instant: Timestamp, at now: Timestamp) async throws(StoreError) -> Int {
        let purged = try await sweeping(erasing: true) { connection throws(StoreError) in
            let due = try connection.query(
                SessionRow.select + """
                     WHERE s.ended_at < ?1 AND s.hold_reason IS NULL AND (s.erased_at < ?1
                        OR s.contract_started_at IS NULL AND s.contract_ended_at IS NULL) LIMIT ?2
                    """, [.time(instant), .integer(Self.sweep)]
            ) { row throws(StoreError) in try SessionRow(row) }
            for row in due {
                try Self.erase(row, .purge, at: now, connection)
                try connection.execute(
                    "DELETE FROM idempotency WHERE session = ?", [.text(row.record.id.rawValue)])
                try OutboxRow.purge(row.record.id, connection)
                try connection.execute("DELETE FROM session WHERE number = ?", [.integer(row.number)])
            }
            if !due.isEmpty { try AuditRow.append([.purged(due.map(\.record), at: now)], connection) }
            return due.count
        }
        _ = try await sweeping { connection throws(StoreError) in
            try connection.execute(
                """
                DELETE FROM notice WHERE (verifier, id) IN
                    (SELECT verifier, id FROM notice WHERE at < ? LIMIT ?)
                """, [.time(instant), .integer(Self.sweep)])
        }
        // An erasure that was given up after its session was purged has nobody left to be removed with.
        _ = try await sweeping { connection throws(StoreError) in
            try connection.execute(
                """
                DELETE FROM outbox WHERE number IN (SELECT o.number FROM outbox AS o
                    WHERE o.dead_at < ? AND NOT EXISTS (SELECT 1 FROM session AS s WHERE s.id = o.session) LIMIT ?)
                """, [.time(instant), .integer(Self.sweep)])
        }
        return purged
    }

    private func sweeping(
        erasing: Bool = false, _ step: @escaping @Sendable (Connection) throws(StoreError) -> Int
    ) async throws(StoreError) -> Int {
        var total = 0
        while true {
            let done = try await writer.run(erased: { erasing && $0 > 0 }, step)
            total += done
            if done < Int(Self.sweep) { return total }
        }
    }

    private static func erase(
        _ row: SessionRow, by actor: String = AuditDraft.gateway, _ rule: AuditDraft.ErasureRule, at now: Timestamp,
        _ connection: Connection
    ) throws(StoreError) {
        guard row.record.erasedAt == nil else { return }
        try AuditRow.append([.erased(row.record, by: actor, rule, at: now)], connection)
        if let slot = row.slot { try KeySlots.destroy(slot, connection) }
        try connection.execute(
            "DELETE FROM sealed WHERE part IN (?, ?)", [.integer(row.number * 2), .integer(row.number * 2 + 1)])
        try connection.execute(
            """
            UPDATE session SET erased_at = ?, key_name = NULL, key_slot = NULL, reference_bucket = NULL,
                erase_ticket_key = NULL, erase_ticket = NULL
            WHERE number = ?
            """,
            [.time(now), .integer(row.number)])
        if let ticket = row.record.eraseTicket {
            try OutboxRow.writeErasure(of: row.record, ticket: ticket, at: now, connection)
        }
        // Without its context it could not be verified any more, so what waits for a submission is cancelled.
        if row.record.status == .created {
            _ = try end(row.record.id, by: .cancel, from: .created, at: now, connection)
        }
    }
}
