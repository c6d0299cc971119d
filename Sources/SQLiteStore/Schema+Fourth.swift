extension Migrations {
    /// Version 4: the audit chain, and what the law asks of sessions beside their verdict.
    static let fourth: [String] = audit + chainGuards("audit", called: "the audit chain") + compliance

    private static let audit: [String] = [
        """
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            at INTEGER NOT NULL,
            session TEXT,
            client TEXT,
            subject TEXT,
            outcome TEXT,
            reason TEXT,
            configuration_version TEXT NOT NULL,
            count INTEGER,
            previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT
        """,
        "CREATE INDEX audit_session ON audit (session, sequence) WHERE session IS NOT NULL",
        "CREATE INDEX audit_actor ON audit (actor, sequence)",
        "CREATE INDEX audit_action ON audit (action, sequence)",
    ]

    private static let compliance: [String] = [
        // The legal method as the law named it on the verdict's day. Days since 1970-01-01.
        "ALTER TABLE session ADD COLUMN method_code TEXT",
        "ALTER TABLE session ADD COLUMN method_policy TEXT",
        "ALTER TABLE session ADD COLUMN method_procedure TEXT",
        "ALTER TABLE session ADD COLUMN method_as_of INTEGER",
        // Names with spaces between; no name has one.
        "ALTER TABLE session ADD COLUMN confirmed_claims TEXT",
        "ALTER TABLE session ADD COLUMN contract_started_at INTEGER",
        "ALTER TABLE session ADD COLUMN contract_ended_at INTEGER",
        "ALTER TABLE session ADD COLUMN hold_reason TEXT",
        "ALTER TABLE session ADD COLUMN hold_by TEXT",
        "ALTER TABLE session ADD COLUMN hold_at INTEGER",
        // Whoever erases by whatever way: a hold keeps the session, and what its key opens.
        """
        CREATE TRIGGER session_on_hold_is_not_erased BEFORE UPDATE OF erased_at ON session
        WHEN OLD.hold_reason IS NOT NULL AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'the session is under a legal hold'); END
        """,
        """
        CREATE TRIGGER session_on_hold_stays BEFORE DELETE ON session
        WHEN OLD.hold_reason IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'the session is under a legal hold'); END
        """,
    ]
}
