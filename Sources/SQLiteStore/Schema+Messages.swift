extension Migrations {
    /// Version 6: messages to the operators, which are about no session, and what is told once.
    ///
    /// A table's CHECK cannot be changed, so the outbox is made anew; the trigger that writes into it goes before the
    /// table does and comes back after it.
    static let messagesToOperators: [String] = [
        "DROP TRIGGER session_ended_is_told",
        """
        CREATE TABLE outbox_next (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL CHECK (kind IN ('session_ended', 'provider_erasure', 'budget_reached')),
            session TEXT NOT NULL,
            client TEXT NOT NULL,
            verifier TEXT NOT NULL,
            ticket_key TEXT,
            ticket BLOB,
            body BLOB CHECK ((body IS NOT NULL) = (kind = 'budget_reached')),
            created_at INTEGER NOT NULL,
            next_at INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            last_error TEXT,
            dead_at INTEGER,
            renewed INTEGER NOT NULL DEFAULT 0 CHECK (renewed IN (0, 1))
        ) STRICT
        """,
        """
        INSERT INTO outbox_next (number, id, kind, session, client, verifier, ticket_key, ticket, created_at, next_at,
            tries, last_error, dead_at, renewed)
        SELECT number, id, kind, session, client, verifier, ticket_key, ticket, created_at, next_at, tries, last_error,
            dead_at, renewed FROM outbox
        """,
        "DROP TABLE outbox",
        "ALTER TABLE outbox_next RENAME TO outbox",
        "CREATE INDEX outbox_due ON outbox (next_at, created_at, id) WHERE dead_at IS NULL",
        "CREATE INDEX outbox_dead ON outbox (dead_at, id) WHERE dead_at IS NOT NULL",
        sessionEndedIsTold,
        "CREATE TABLE told (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    ]
}
