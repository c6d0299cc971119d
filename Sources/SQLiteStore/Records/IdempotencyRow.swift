import VerificationCore

/// The rows of idempotency keys.
enum IdempotencyRow {
    static func find(_ key: IdempotencyKey, _ connection: Connection) throws(StoreError) -> IdempotencyRecord? {
        try connection.first(
            "SELECT body_hash, session FROM idempotency WHERE client = ? AND scope = ? AND key = ?",
            [.text(key.client.rawValue), .text(key.scope), .text(key.key)]
        ) { row throws(StoreError) in
            IdempotencyRecord(key: key, bodyHash: try row.blob(0), session: SessionID(try row.text(1)))
        }
    }

    static func keep(_ record: IdempotencyRecord, _ connection: Connection) throws(StoreError) {
        try connection.execute(
            "INSERT INTO idempotency (client, scope, key, body_hash, session) VALUES (?, ?, ?, ?, ?)",
            [
                .text(record.key.client.rawValue), .text(record.key.scope), .text(record.key.key),
                .blob(record.bodyHash), .text(record.session.rawValue),
            ])
    }
}
