import Ledger
public import VerificationCore

extension SQLiteStore {
    public func create(
        _ session: SessionRecord, idempotency: IdempotencyRecord?, ledger: [LedgerDraft]
    ) async throws(StoreError) -> CreateOutcome {
        try await writer.run { connection throws(StoreError) in
            if let idempotency, let earlier = try IdempotencyRow.find(idempotency.key, connection) {
                return .existing(earlier)
            }
            try SessionRow.insert(session, connection)
            if let idempotency { try IdempotencyRow.keep(idempotency, connection) }
            try LedgerRow.append(ledger, connection)
            return .created
        }
    }

    public func session(_ id: SessionID) async throws(StoreError) -> SessionRecord {
        try await reader.run { connection throws(StoreError) in try SessionRow.find(id, connection).record }
    }

    public func idempotency(_ key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try await reader.run { connection throws(StoreError) in try IdempotencyRow.find(key, connection) }
    }

    public func claim(
        _ id: SessionID, at now: Timestamp, processingDeadline: Timestamp, idempotency: IdempotencyRecord?,
        ledger: [LedgerDraft]
    ) async throws(StoreError) -> ClaimOutcome {
        try await writer.run { connection throws(StoreError) in
            guard let processing = SessionStatus.created.after(.claim) else { throw .conflict }
            // The one statement that redeems a nonce.
            let claimed = try connection.execute(
                """
                UPDATE session SET status = ?, claimed_at = ?, processing_deadline = ?
                WHERE id = ? AND status = ? AND expires_at >= ?
                """,
                [
                    .text(processing.rawValue), .time(now), .time(processingDeadline), .text(id.rawValue),
                    .text(SessionStatus.created.rawValue), .time(now),
                ])
            let record = try SessionRow.find(id, connection).record
            let earlier = try idempotency.flatMap { record throws(StoreError) in
                try IdempotencyRow.find(record.key, connection)
            }
            if claimed == 1 {
                guard earlier == nil else { throw .conflict }
                if let idempotency { try IdempotencyRow.keep(idempotency, connection) }
                try LedgerRow.append(ledger, connection)
                return .claimed(record)
            }
            switch record.status {
            case .created:
                return .expired(try Self.end(id, by: .expire, from: .created, at: now, connection))
            case .expired: return .expired(record)
            case .cancelled: return .cancelled(record)
            case .processing, .verified, .rejected, .failed: return .alreadySubmitted(record, by: earlier)
            }
        }
    }

    public func conclude(
        _ id: SessionID, with ending: SessionEnding, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord {
        try await writer.run { connection throws(StoreError) in
            _ = try Self.end(id, by: ending.event, from: .processing, at: ending.at, connection)
            var failure: FailureCode?
            if case .failed(let code) = ending.kind { failure = code }
            try connection.execute(
                """
                UPDATE session SET report = ?, failure = ?, provider_reference = coalesce(?, provider_reference),
                    erase_at = coalesce(?, erase_at), answered_by = coalesce(?, answered_by)
                WHERE id = ?
                """,
                [
                    .text(orNull: ending.report.map(ReportText.write)), .text(orNull: failure?.rawValue),
                    .text(orNull: ending.providerReference), .time(orNull: ending.eraseAt),
                    .text(orNull: ending.answeredBy?.rawValue), .text(id.rawValue),
                ])
            try ComplianceRow.keep(ending, of: id, connection)
            if let certification = ending.certification {
                try SessionRow.keep(certification, of: id, connection)
            }
            let row = try SessionRow.find(id, connection)
            // A session erased while it was verified ends without claims.
            if let result = ending.sealedResult, row.record.erasedAt == nil {
                try SessionRow.keep(result, part: row.number * 2 + 1, connection)
            }
            try SessionRow.give(ending.eraseTicket, to: row.record, connection)
            for incident in ending.incidents {
                try connection.execute(
                    "INSERT INTO incident (name, count) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1",
                    [.text(incident.rawValue)])
            }
            let incidents = ending.incidents.map { AuditDraft.incident($0, of: row.record, at: ending.at) }
            try AuditRow.append(incidents, connection)
            try LedgerRow.append(ledger, connection)
            return try SessionRow.find(id, connection).record
        }
    }

    public func cancel(_ id: SessionID, reason: String?, at now: Timestamp) async throws(StoreError) -> SessionRecord {
        try await writer.run { connection throws(StoreError) in
            _ = try Self.end(id, by: .cancel, from: .created, at: now, connection)
            try connection.execute(
                "UPDATE session SET cancel_reason = ? WHERE id = ?", [.text(orNull: reason), .text(id.rawValue)])
            return try SessionRow.find(id, connection).record
        }
    }

    /// Moves a session to a final state by the one table of states, or throws and changes nothing.
    static func end(
        _ id: SessionID, by event: SessionEvent, from status: SessionStatus, at now: Timestamp, _ connection: Connection
    ) throws(StoreError) -> SessionRecord {
        guard let next = status.after(event) else { throw .conflict }
        let changed = try connection.execute(
            """
            UPDATE session SET status = ?, ended_at = ?, wait_step = NULL, wait_next_at = NULL, wait_asked = NULL
            WHERE id = ? AND status = ?
            """,
            [.text(next.rawValue), .time(now), .text(id.rawValue), .text(status.rawValue)])
        let record = try SessionRow.find(id, connection).record
        guard changed == 1 else { throw .conflict }
        return record
    }
}
