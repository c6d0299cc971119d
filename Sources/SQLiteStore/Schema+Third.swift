extension Migrations {
    /// Version 3: what the ledger leaves of its calls, in narrow rows that reports read by time, and statements.
    static let third: [String] = usage + usageOfOldEvents + usageGuards + statements

    private static let usage: [String] = [
        // A name keeps its number, from 0 without gaps.
        "CREATE TABLE usage_name (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
        // Numbers instead of words, so that a million rows are small and quickly read: see UsageRow. `by_end` and
        // `by_provider` are the times that decide a call's month by the rules of the same names.
        """
        CREATE TABLE usage_call (
            sequence INTEGER PRIMARY KEY REFERENCES ledger (sequence),
            last_sequence INTEGER NOT NULL,
            verifier INTEGER NOT NULL,
            client INTEGER NOT NULL,
            purpose INTEGER NOT NULL,
            role INTEGER NOT NULL,
            submission INTEGER NOT NULL CHECK (submission IN (0, 1)),
            state INTEGER NOT NULL,
            outcome INTEGER,
            class INTEGER NOT NULL,
            quantity INTEGER NOT NULL,
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            provider_time INTEGER,
            by_end INTEGER NOT NULL,
            by_provider INTEGER NOT NULL
        ) STRICT
        """,
        // An event of a call that has no name finds its start by its attempt alone.
        "CREATE INDEX ledger_nameless ON ledger (attempt, sequence) WHERE kind = 'started' AND call IS NULL",
        "CREATE INDEX ledger_settlement ON ledger (sequence) WHERE kind IN ('adjusted', 'closed')",
    ]

    /// The same, of the events that are there already.
    private static let usageOfOldEvents: [String] = [
        """
        INSERT INTO usage_name (number, name)
        SELECT row_number() OVER (ORDER BY name) - 1, name FROM (SELECT verifier AS name FROM ledger
            WHERE kind = 'started' UNION SELECT client FROM ledger WHERE kind = 'started'
            UNION SELECT purpose FROM ledger WHERE kind = 'started')
        """,
        """
        INSERT INTO usage_call (sequence, last_sequence, verifier, client, purpose, role, submission, state, class,
            quantity, started_at, provider_time, by_end, by_provider)
        SELECT l.sequence, l.sequence, v.number, c.number, p.number,
            instr('primary  fallback shadow   ', l.role) / 9, coalesce(l.call = 'submit', 1), 0,
            \(classNumber), l.quantity, l.at, l.provider_time, l.at, coalesce(l.provider_time, l.at)
        FROM ledger AS l JOIN usage_name AS v ON v.name = l.verifier JOIN usage_name AS c ON c.name = l.client
        JOIN usage_name AS p ON p.name = l.purpose
        WHERE l.kind = 'started'
        """,
        "CREATE INDEX ledger_attempt ON ledger (attempt)",
        settling("l.kind IN ('ended', 'uncertain')"),
        settling("l.kind = 'resolved'"),
        "DROP INDEX ledger_attempt",
        "CREATE INDEX usage_start ON usage_call (verifier, started_at, sequence)",
        "CREATE INDEX usage_end ON usage_call (verifier, by_end, sequence)",
        "CREATE INDEX usage_provider ON usage_call (verifier, by_provider, sequence)",
    ]

    private static let classNumber = """
        CASE l.billable_class WHEN 'session_created' THEN 0 WHEN 'evidence_submitted' THEN 1
            WHEN 'completed_any' THEN 2 WHEN 'completed_pass' THEN 3 WHEN 'completed_fail' THEN 4
            WHEN 'resubmission' THEN 5 WHEN 'status_check' THEN 6 WHEN 'data_refetch' THEN 7 ELSE 8 END
        """

    private static func settling(_ kind: String) -> String {
        // What resolves a call does not move it to another time.
        let end =
            "CASE WHEN l.kind = 'resolved' AND l.call IS NOT NULL THEN coalesce(usage_call.ended_at, l.at) ELSE l.at END"
        return """
            UPDATE usage_call SET last_sequence = l.sequence,
                state = CASE l.kind WHEN 'ended' THEN 1 WHEN 'uncertain' THEN 2 ELSE 3 END,
                outcome = CASE l.outcome WHEN 'verified' THEN 0 WHEN 'rejected' THEN 1 WHEN 'failed' THEN 2 END,
                class = \(classNumber), quantity = l.quantity, ended_at = \(end),
                provider_time = coalesce(l.provider_time, usage_call.provider_time), by_end = \(end),
                by_provider = coalesce(l.provider_time, usage_call.provider_time, \(end))
            FROM ledger AS l
            WHERE \(kind) AND usage_call.sequence = (SELECT max(s.sequence) FROM ledger AS s
                WHERE s.attempt = l.attempt AND s.call IS l.call AND s.kind = 'started' AND s.sequence < l.sequence)
            """
    }

    /// The rows follow the ledger's newest event and nothing else. `sekisho ledger verify` compares them all with it.
    private static let usageGuards: [String] = [
        """
        CREATE TRIGGER usage_name_is_kept BEFORE UPDATE ON usage_name
        BEGIN SELECT RAISE(ABORT, 'the ledger keeps its names'); END
        """,
        """
        CREATE TRIGGER usage_name_stays BEFORE DELETE ON usage_name
        BEGIN SELECT RAISE(ABORT, 'the ledger keeps its names'); END
        """,
        """
        CREATE TRIGGER usage_name_is_new BEFORE INSERT ON usage_name
        WHEN NEW.number IS NOT (SELECT coalesce(max(number), -1) + 1 FROM usage_name)
            OR EXISTS (SELECT 1 FROM usage_name WHERE name = NEW.name)
        BEGIN SELECT RAISE(ABORT, 'the ledger keeps its names'); END
        """,
        """
        CREATE TRIGGER usage_call_stays BEFORE DELETE ON usage_call
        BEGIN SELECT RAISE(ABORT, 'the ledger says what was called'); END
        """,
        """
        CREATE TRIGGER usage_call_is_new BEFORE INSERT ON usage_call
        WHEN NEW.last_sequence <> NEW.sequence OR NOT EXISTS (SELECT 1 FROM ledger AS l
            WHERE l.sequence = (SELECT max(sequence) FROM ledger) AND l.sequence = NEW.sequence
                AND l.kind = 'started')
            OR EXISTS (SELECT 1 FROM usage_call WHERE sequence = NEW.sequence)
        BEGIN SELECT RAISE(ABORT, 'the ledger says what was called'); END
        """,
        """
        CREATE TRIGGER usage_call_goes_on BEFORE UPDATE ON usage_call
        WHEN NEW.sequence <> OLD.sequence OR NEW.last_sequence <= OLD.last_sequence
            OR NEW.last_sequence IS NOT (SELECT max(sequence) FROM ledger)
        BEGIN SELECT RAISE(ABORT, 'the ledger says what was called'); END
        """,
    ]

    private static let statements: [String] = [
        """
        CREATE UNIQUE INDEX ledger_month_closed ON ledger (month) WHERE kind = 'closed' AND month IS NOT NULL
        """,
        // As ledger_tells_once: a REPLACE would take the earlier event out.
        """
        CREATE TRIGGER ledger_closes_once BEFORE INSERT ON ledger
        WHEN NEW.kind = 'closed' AND NEW.month IS NOT NULL
            AND EXISTS (SELECT 1 FROM ledger AS l WHERE l.month = NEW.month AND l.kind = 'closed')
        BEGIN SELECT RAISE(ABORT, 'the ledger closes a month once'); END
        """,
        "CREATE TABLE statement (month TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID",
        """
        CREATE TRIGGER statement_is_of_a_closing BEFORE INSERT ON statement
        WHEN EXISTS (SELECT 1 FROM statement WHERE month = NEW.month)
            OR NOT EXISTS (SELECT 1 FROM ledger AS l WHERE l.month = NEW.month AND l.kind = 'closed'
                AND l.sequence = (SELECT max(sequence) FROM ledger))
        BEGIN SELECT RAISE(ABORT, 'the ledger says which months are closed'); END
        """,
        """
        CREATE TRIGGER statement_is_never_changed BEFORE UPDATE ON statement
        BEGIN SELECT RAISE(ABORT, 'the ledger holds the hash of a statement'); END
        """,
        """
        CREATE TRIGGER statement_stays BEFORE DELETE ON statement
        BEGIN SELECT RAISE(ABORT, 'the ledger holds the hash of a statement'); END
        """,
    ]
}
