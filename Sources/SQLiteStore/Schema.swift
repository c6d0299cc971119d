extension Migrations {
    /// The schema of this version.
    package static let current = Migrations(
        steps: [first, second, third, fourth, changedCalls, messagesToOperators].map { Migration(statements: $0) })

    /// Version 1. Every table is STRICT and no column holds a float.
    private static let first: [String] =
        sessionsAndLedger + chainGuards("ledger", called: "the ledger") + small

    private static let sessionsAndLedger: [String] = [
        """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            client TEXT NOT NULL,
            purpose TEXT NOT NULL,
            document_type TEXT NOT NULL,
            verifier TEXT NOT NULL,
            verifier_kind TEXT NOT NULL,
            simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
            status TEXT NOT NULL CHECK (status IN
                ('created', 'processing', 'verified', 'rejected', 'failed', 'expired', 'cancelled')),
            nonce BLOB NOT NULL UNIQUE,
            merchant_identifier TEXT NOT NULL,
            team_identifier TEXT NOT NULL,
            configuration_version TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            claimed_at INTEGER,
            processing_deadline INTEGER,
            ended_at INTEGER,
            failure TEXT,
            cancel_reason TEXT,
            report TEXT,
            certification_regime TEXT,
            certification_holder TEXT,
            certification_program TEXT,
            certification_version TEXT,
            certification_number TEXT,
            certification_valid_from INTEGER,
            certification_valid_until INTEGER,
            provider_reference TEXT,
            erase_at INTEGER,
            erased_at INTEGER,
            key_name TEXT,
            key_slot INTEGER UNIQUE REFERENCES key_slot (slot)
        ) STRICT
        """,
        "CREATE INDEX session_status ON session (status)",
        "CREATE INDEX session_expiry ON session (expires_at) WHERE status = 'created'",
        "CREATE INDEX session_erasure ON session (erase_at) WHERE erased_at IS NULL AND erase_at IS NOT NULL",
        "CREATE INDEX session_end ON session (ended_at) WHERE ended_at IS NOT NULL",
        // Slots of one width that are overwritten in place and never deleted: see KeySlots.
        "CREATE TABLE key_slot (slot INTEGER PRIMARY KEY, bytes BLOB NOT NULL CHECK (length(bytes) = 256)) STRICT",
        "CREATE TABLE key_slot_free (slot INTEGER PRIMARY KEY) STRICT",
        // Twice the session's number for the context, one more for the result.
        "CREATE TABLE sealed (part INTEGER PRIMARY KEY, key_name TEXT NOT NULL, bytes BLOB NOT NULL) STRICT",
        """
        CREATE TABLE idempotency (
            client TEXT NOT NULL,
            scope TEXT NOT NULL,
            key TEXT NOT NULL,
            body_hash BLOB NOT NULL,
            session TEXT NOT NULL,
            PRIMARY KEY (client, scope, key)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX idempotency_session ON idempotency (session)",
        """
        CREATE TABLE ledger (
            sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
            kind TEXT NOT NULL,
            attempt TEXT NOT NULL,
            role TEXT NOT NULL,
            session TEXT NOT NULL,
            verifier TEXT NOT NULL,
            client TEXT NOT NULL,
            purpose TEXT NOT NULL,
            provider_reference TEXT,
            at INTEGER NOT NULL,
            provider_time INTEGER,
            billable_class TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            outcome TEXT,
            certification TEXT,
            configuration_version TEXT NOT NULL,
            settles INTEGER,
            previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT
        """,
    ]

    private static let small: [String] = [
        "CREATE TABLE incident (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE probe (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT",
    ]
}
