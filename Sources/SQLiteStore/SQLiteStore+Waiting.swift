public import VerificationCore

extension SQLiteStore {
    public func suspend(
        _ id: SessionID, _ suspension: Suspension, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord {
        try await writer.run { connection throws(StoreError) in
            let row = try SessionRow.find(id, connection)
            let wait = suspension.wait
            let changed = try connection.execute(
                """
                UPDATE session SET wait_step = ?, wait_next_at = ?, wait_asked = ?,
                    provider_reference = coalesce(?, provider_reference)
                WHERE number = ? AND status = 'processing'
                """,
                [
                    .text(orNull: wait?.step.rawValue), .time(orNull: wait?.nextAt),
                    .integer(orNull: wait.map { Int64($0.asked) }), .text(orNull: suspension.providerReference),
                    .integer(row.number),
                ])
            guard changed == 1 else { throw .conflict }
            // What was erased meanwhile stays erased.
            if let context = suspension.sealedContext, row.record.erasedAt == nil {
                try SessionRow.keep(context, part: row.number * 2, connection)
            }
            try SessionRow.give(suspension.eraseTicket, to: row.record, connection)
            try LedgerRow.append(ledger, connection)
            return try SessionRow.find(id, connection).record
        }
    }

    public func takeDueWaits(
        at now: Timestamp, lease: Timestamp, limit: Int
    ) async throws(StoreError) -> [SessionRecord] {
        try await writer.run { connection throws(StoreError) in
            let due = try connection.query(SessionRow.dueWaits, [.time(now), .limit(limit)]) {
                row throws(StoreError) in try SessionRow(row)
            }
            var taken: [SessionRecord] = []
            for var row in due {
                try connection.execute(
                    "UPDATE session SET wait_next_at = ? WHERE number = ?", [.time(lease), .integer(row.number)])
                row.record.wait?.nextAt = lease
                taken.append(row.record)
            }
            return taken
        }
    }

    public func openCalls(limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try await reader.run { connection throws(StoreError) in
            try LedgerRow.read(LedgerRow.open, [.limit(limit)], connection)
        }
    }

    public func uncertainCalls(after sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try await reader.run { connection throws(StoreError) in
            try LedgerRow.read(LedgerRow.uncertain, [.integer(sequence), .limit(limit)], connection)
        }
    }

    public func ledger(of session: SessionID) async throws(StoreError) -> [LedgerEvent] {
        try await reader.run { connection throws(StoreError) in
            try LedgerRow.read(LedgerRow.ofSession, [.text(session.rawValue)], connection)
        }
    }

    public func session(
        of verifier: VerifierID, providerReference: String
    ) async throws(StoreError) -> SessionRecord? {
        try await reader.run { connection throws(StoreError) in
            try connection.first(
                SessionRow.byReference, [.text(providerReference), .text(verifier.rawValue)]
            ) { row throws(StoreError) in try SessionRow(row).record }
        }
    }

    public func takeNotice(
        _ id: String, of verifier: VerifierID, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await writer.run { connection throws(StoreError) in
            try connection.execute(
                "INSERT INTO notice (verifier, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [.text(verifier.rawValue), .text(id), .time(now)]) == 1
        }
    }
}

extension SessionRow {
    static let dueWaits =
        select + """
             WHERE +s.status = 'processing' AND s.wait_next_at <= ? ORDER BY s.wait_next_at, s.id LIMIT ?
            """
    /// A reference is most likely that of the verifier that answered.
    static let byReference =
        select + """
             WHERE s.provider_reference = ?1 AND (s.verifier = ?2 OR s.answered_by = ?2)
            ORDER BY coalesce(s.answered_by, s.verifier) = ?2 DESC, s.created_at DESC, s.id DESC LIMIT 1
            """
}
