public import VerificationCore

extension SQLiteStore {
    public func audit(from sequence: Int64, limit: Int) async throws(StoreError) -> [AuditEvent] {
        try await reader.run { connection throws(StoreError) in
            try AuditRow.read(from: sequence, limit: limit, connection)
        }
    }

    /// Runs beside the searches: what looks at many events must not hold up anybody.
    public func audit(
        _ filter: AuditFilter, before sequence: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEvent] {
        try await searcher.run { connection throws(StoreError) in
            try AuditRow.read(filter, before: sequence, limit: limit, connection)
        }
    }

    @discardableResult
    public func appendAudit(_ drafts: [AuditDraft]) async throws(StoreError) -> [AuditEvent] {
        try await writer.run { connection throws(StoreError) in try AuditRow.append(drafts, connection) }
    }

    public func setContract(
        _ contract: Contract, eraseAt: Timestamp?, of id: SessionID, audit: AuditDraft
    ) async throws(StoreError) -> SessionRecord {
        try await writer.run { connection throws(StoreError) in
            let changed = try connection.execute(
                """
                UPDATE session SET contract_started_at = ?, contract_ended_at = ?, erase_at = ?
                WHERE id = ? AND status = 'verified' AND erased_at IS NULL
                """,
                [
                    .time(orNull: contract.startedAt), .time(orNull: contract.endedAt), .time(orNull: eraseAt),
                    .text(id.rawValue),
                ])
            let record = try SessionRow.find(id, connection).record
            guard changed == 1 else { throw .conflict }
            try AuditRow.append([audit], connection)
            return record
        }
    }

    public func setHold(
        _ hold: LegalHold?, of id: SessionID, audit: AuditDraft
    ) async throws(StoreError) -> SessionRecord {
        try await writer.run { connection throws(StoreError) in
            let changed = try connection.execute(
                """
                UPDATE session SET hold_reason = ?1, hold_by = ?2, hold_at = ?3
                WHERE id = ?4 AND (hold_reason IS NULL) <> (?1 IS NULL)
                """,
                [
                    .text(orNull: hold?.reason), .text(orNull: hold?.by), .time(orNull: hold?.at), .text(id.rawValue),
                ])
            let record = try SessionRow.find(id, connection).record
            guard changed == 1 else { throw .conflict }
            try AuditRow.append([audit], connection)
            return record
        }
    }

    public func message(_ id: OutboxMessage.ID) async throws(StoreError) -> OutboxMessage? {
        try await reader.run { connection throws(StoreError) in
            try connection.first(OutboxRow.select + " WHERE id = ?", [.text(id)]) { row throws(StoreError) in
                try OutboxRow.read(row)
            }
        }
    }
}

extension LedgerReader: AuditReading {
    public func audit(from sequence: Int64, limit: Int) async throws(StoreError) -> [AuditEvent] {
        try await thread.run { connection throws(StoreError) in
            try AuditRow.read(from: sequence, limit: limit, connection)
        }
    }

    public func audit(
        _ filter: AuditFilter, before sequence: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEvent] {
        try await thread.run { connection throws(StoreError) in
            try AuditRow.read(filter, before: sequence, limit: limit, connection)
        }
    }
}
