extension Migrations {
    /// Version 2: verifiers that answer later, messages that must leave, calls of the ledger that are told once.
    static let second: [String] = waiting + lookups + messages + calls + callTables + shadows

    private static let waiting: [String] = [
        // The routing note as compact JSON; NULL for a note without content.
        "ALTER TABLE session ADD COLUMN routing TEXT",
        "ALTER TABLE session ADD COLUMN attempt TEXT",
        "ALTER TABLE session ADD COLUMN answered_by TEXT",
        // A wait has a step; without a time nothing is asked.
        "ALTER TABLE session ADD COLUMN wait_step TEXT",
        "ALTER TABLE session ADD COLUMN wait_next_at INTEGER",
        "ALTER TABLE session ADD COLUMN wait_asked INTEGER",
        "ALTER TABLE session ADD COLUMN notifies INTEGER NOT NULL DEFAULT 0 CHECK (notifies IN (0, 1))",
        "ALTER TABLE session ADD COLUMN erase_ticket_key TEXT",
        "ALTER TABLE session ADD COLUMN erase_ticket BLOB",
        // No session but one in `processing` has a time to ask at: ends clear it.
        "CREATE INDEX session_wait ON session (wait_next_at, id) WHERE wait_next_at IS NOT NULL",
        """
        CREATE INDEX session_reference ON session (provider_reference, created_at, id)
        WHERE provider_reference IS NOT NULL
        """,
    ]

    private static let lookups: [String] = [
        // The first bytes of the reference index. An index of the whole could not be erased for good (see KeySlots);
        // sixteen bits narrow a million sessions to a few, and lead back to nobody when they stay on a page.
        "ALTER TABLE session ADD COLUMN reference_bucket BLOB CHECK (length(reference_bucket) <= 2)",
        // A slot is a key and an index, each as a byte that says whether it is there, two of length, and the bytes.
        """
        UPDATE session SET reference_bucket = (
            SELECT CASE WHEN substr(bytes, 4 + length, 1) = x'01' THEN substr(bytes, 7 + length, 2) END
            FROM (SELECT bytes, (instr('0123456789ABCDEF', substr(hex(substr(bytes, 3, 1)), 1, 1)) - 1) * 16
                    + instr('0123456789ABCDEF', substr(hex(substr(bytes, 3, 1)), 2, 1)) - 1 AS length
                FROM key_slot WHERE slot = session.key_slot))
        WHERE key_slot IS NOT NULL
        """,
        "CREATE INDEX session_bucket ON session (reference_bucket, created_at, id) WHERE reference_bucket IS NOT NULL",
        "DROP INDEX session_status",
        "CREATE INDEX session_status ON session (status, created_at, id)",
        "CREATE INDEX session_time ON session (created_at, id)",
        "CREATE INDEX session_verifier ON session (verifier, created_at, id)",
        "CREATE INDEX session_client ON session (client, created_at, id)",
    ]

    private static let messages: [String] = [
        """
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL CHECK (kind IN ('session_ended', 'provider_erasure')),
            session TEXT NOT NULL,
            client TEXT NOT NULL,
            verifier TEXT NOT NULL,
            ticket_key TEXT,
            ticket BLOB,
            created_at INTEGER NOT NULL,
            next_at INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            last_error TEXT,
            dead_at INTEGER,
            renewed INTEGER NOT NULL DEFAULT 0 CHECK (renewed IN (0, 1))
        ) STRICT
        """,
        "CREATE INDEX outbox_due ON outbox (next_at, created_at, id) WHERE dead_at IS NULL",
        "CREATE INDEX outbox_dead ON outbox (dead_at, id) WHERE dead_at IS NOT NULL",
        sessionEndedIsTold,
        """
        CREATE TABLE notice (
            verifier TEXT NOT NULL,
            id TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (verifier, id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX notice_time ON notice (at)",
    ]

    /// Whoever ends a session, in whatever way, tells its client in the same transaction. The name is that of
    /// `OutboxMessage.id`.
    static let sessionEndedIsTold = """
        CREATE TRIGGER session_ended_is_told AFTER UPDATE OF status ON session
        WHEN NEW.notifies = 1 AND OLD.status IN ('created', 'processing')
            AND NEW.status NOT IN ('created', 'processing')
        BEGIN
            INSERT INTO outbox (id, kind, session, client, verifier, created_at, next_at)
            VALUES ('msg_' || substr(NEW.id, instr(NEW.id, '_') + 1) || '_session_ended', 'session_ended', NEW.id,
                NEW.client, NEW.verifier, NEW.ended_at, NEW.ended_at);
        END
        """

    private static let calls: [String] = [
        "ALTER TABLE ledger ADD COLUMN call TEXT",
        "ALTER TABLE ledger ADD COLUMN actor TEXT",
        "ALTER TABLE ledger ADD COLUMN note TEXT",
        "ALTER TABLE ledger ADD COLUMN month TEXT",
        "ALTER TABLE ledger ADD COLUMN amount INTEGER",
        "ALTER TABLE ledger ADD COLUMN currency TEXT",
        "ALTER TABLE ledger ADD COLUMN statement BLOB",
        "CREATE INDEX ledger_session ON ledger (session)",
        // A call is started once, ended once and resolved once; events older than calls have none.
        """
        CREATE UNIQUE INDEX ledger_call_started ON ledger (attempt, call)
        WHERE kind = 'started' AND call IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX ledger_call_ended ON ledger (attempt, call)
        WHERE kind IN ('ended', 'uncertain') AND call IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX ledger_call_resolved ON ledger (attempt, call)
        WHERE kind = 'resolved' AND call IS NOT NULL
        """,
        // INSERT OR REPLACE would take out the earlier event without firing a DELETE trigger.
        """
        CREATE TRIGGER ledger_tells_once BEFORE INSERT ON ledger
        WHEN NEW.call IS NOT NULL AND (
            NEW.kind = 'started' AND EXISTS (SELECT 1 FROM ledger AS l
                WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind = 'started')
            OR NEW.kind IN ('ended', 'uncertain') AND EXISTS (SELECT 1 FROM ledger AS l
                WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind IN ('ended', 'uncertain'))
            OR NEW.kind = 'resolved' AND EXISTS (SELECT 1 FROM ledger AS l
                WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind = 'resolved'))
        BEGIN SELECT RAISE(ABORT, 'the ledger tells each part of a call once'); END
        """,
    ]

    /// Which calls are open and which are uncertain, so that nobody searches the ledger for them. The rows follow the
    /// ledger by triggers, and others refuse whatever the ledger does not say.
    private static let callTables: [String] = [
        "CREATE TABLE call_open (sequence INTEGER PRIMARY KEY REFERENCES ledger (sequence)) STRICT",
        "CREATE TABLE call_uncertain (sequence INTEGER PRIMARY KEY REFERENCES ledger (sequence)) STRICT",
        """
        CREATE TRIGGER call_opens AFTER INSERT ON ledger
        WHEN NEW.kind = 'started' AND NEW.call IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger AS l
            WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind IN ('ended', 'uncertain'))
        BEGIN INSERT INTO call_open (sequence) VALUES (NEW.sequence); END
        """,
        """
        CREATE TRIGGER call_ends AFTER INSERT ON ledger
        WHEN NEW.kind IN ('ended', 'uncertain') AND NEW.call IS NOT NULL
        BEGIN
            DELETE FROM call_open WHERE sequence = (SELECT l.sequence FROM ledger AS l
                WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind = 'started');
        END
        """,
        """
        CREATE TRIGGER call_is_uncertain AFTER INSERT ON ledger
        WHEN NEW.kind = 'uncertain' AND NEW.call IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger AS l
            WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind = 'resolved')
        BEGIN INSERT INTO call_uncertain (sequence) VALUES (NEW.sequence); END
        """,
        """
        CREATE TRIGGER call_is_resolved AFTER INSERT ON ledger
        WHEN NEW.kind = 'resolved' AND NEW.call IS NOT NULL
        BEGIN
            DELETE FROM call_uncertain WHERE sequence = (SELECT l.sequence FROM ledger AS l
                WHERE l.attempt = NEW.attempt AND l.call = NEW.call AND l.kind IN ('ended', 'uncertain'));
        END
        """,
        """
        CREATE TRIGGER call_open_is_what_the_ledger_says BEFORE INSERT ON call_open
        WHEN NOT EXISTS (SELECT 1 FROM ledger AS l
            WHERE l.sequence = NEW.sequence AND l.kind = 'started' AND l.call IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'the ledger knows no such call'); END
        """,
        """
        CREATE TRIGGER call_open_stays_until_its_end BEFORE DELETE ON call_open
        WHEN NOT EXISTS (SELECT 1 FROM ledger AS s JOIN ledger AS l ON l.attempt = s.attempt AND l.call = s.call
                AND l.kind IN ('ended', 'uncertain') WHERE s.sequence = OLD.sequence)
        BEGIN SELECT RAISE(ABORT, 'the call is open'); END
        """,
        """
        CREATE TRIGGER call_open_is_never_changed BEFORE UPDATE ON call_open
        BEGIN SELECT RAISE(ABORT, 'the ledger says which calls are open'); END
        """,
        """
        CREATE TRIGGER call_uncertain_is_what_the_ledger_says BEFORE INSERT ON call_uncertain
        WHEN NOT EXISTS (SELECT 1 FROM ledger AS l
            WHERE l.sequence = NEW.sequence AND l.kind = 'uncertain' AND l.call IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'the ledger knows no such call'); END
        """,
        """
        CREATE TRIGGER call_uncertain_stays_until_resolved BEFORE DELETE ON call_uncertain
        WHEN NOT EXISTS (SELECT 1 FROM ledger AS s JOIN ledger AS l ON l.attempt = s.attempt AND l.call = s.call
                AND l.kind = 'resolved' WHERE s.sequence = OLD.sequence)
        BEGIN SELECT RAISE(ABORT, 'the call is uncertain'); END
        """,
        """
        CREATE TRIGGER call_uncertain_is_never_changed BEFORE UPDATE ON call_uncertain
        BEGIN SELECT RAISE(ABORT, 'the ledger says which calls are uncertain'); END
        """,
    ]

    private static let shadows: [String] = [
        // Days since 1970-01-01.
        """
        CREATE TABLE shadow_count (
            day INTEGER NOT NULL,
            answering TEXT NOT NULL,
            shadow TEXT NOT NULL,
            subject TEXT NOT NULL,
            outcome TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (day, answering, shadow, subject, outcome)
        ) STRICT, WITHOUT ROWID
        """
    ]
}
