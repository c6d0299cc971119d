import VerificationCore

/// The outbox's rows.
enum OutboxRow {
    static let select = """
        SELECT id, kind, session, client, verifier, ticket_key, ticket, created_at, next_at, tries, last_error, dead_at,
            number, body FROM outbox
        """
    static let due = select + " WHERE dead_at IS NULL AND next_at <= ? ORDER BY next_at, created_at, id LIMIT ?"
    static let dead = select + " WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, id DESC LIMIT ?"

    static func read(_ row: borrowing Row) throws(StoreError) -> OutboxMessage {
        var ticket: SealedBytes?
        if let name = try row.textOrNull(5) { ticket = SealedBytes(keyID: name, bytes: try row.blob(6)) }
        var message = OutboxMessage(
            id: try row.text(0), kind: try row.word(1), session: SessionID(try row.text(2)),
            client: ClientID(try row.text(3)), verifier: VerifierID(try row.text(4)), ticket: ticket,
            createdAt: try row.time(7))
        message.nextAt = try row.time(8)
        message.tries = Int(try row.integer(9))
        message.lastError = try row.textOrNull(10)
        message.deadAt = try row.timeOrNull(11)
        message.body = try row.blobOrNull(13)
        return message
    }

    /// Has the provider of a session erase what it keeps. A message that is there already gets the new ticket and is
    /// due again; whoever took it before settles nothing.
    static func writeErasure(
        of record: SessionRecord, ticket: SealedBytes, at now: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO outbox (id, kind, session, client, verifier, ticket_key, ticket, created_at, next_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET client = excluded.client, verifier = excluded.verifier,
                ticket_key = excluded.ticket_key, ticket = excluded.ticket,
                created_at = excluded.created_at, next_at = excluded.next_at, tries = 0, last_error = NULL,
                dead_at = NULL, renewed = 1
            """,
            [
                .text(OutboxMessage.id(.providerErasure, of: record.id)),
                .text(OutboxMessage.Kind.providerErasure.rawValue), .text(record.id.rawValue),
                .text(record.client.rawValue), .text(record.verifier.rawValue), .text(ticket.keyID),
                .blob(ticket.bytes), .time(now), .time(now),
            ])
    }

    /// Writes a message to the operators.
    static func write(_ message: OutboxMessage, _ connection: Connection) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO outbox (id, kind, session, client, verifier, body, created_at, next_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(message.id), .text(message.kind.rawValue), .text(message.session.rawValue),
                .text(message.client.rawValue), .text(message.verifier.rawValue), .blob(message.body ?? []),
                .time(message.createdAt), .time(message.nextAt),
            ])
    }

    /// Removes the messages of a session that is purged, but for an erasure that waits.
    static func purge(_ session: SessionID, _ connection: Connection) throws(StoreError) {
        let ids = OutboxMessage.Kind.allCases.map { SQLValue.text(OutboxMessage.id($0, of: session)) }
        for id in ids {
            try connection.execute(
                "DELETE FROM outbox WHERE id = ? AND (kind <> 'provider_erasure' OR dead_at IS NOT NULL)", [id])
        }
    }
}
