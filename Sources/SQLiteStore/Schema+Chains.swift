extension Migrations {
    /// What the database itself refuses of the table of a chain, whoever asks for it.
    ///
    /// The steps that made the two chains were released with these words: they never change.
    static func chainGuards(_ table: String, called name: String) -> [String] {
        [
            """
            CREATE TRIGGER \(table)_is_never_changed BEFORE UPDATE ON \(table)
            BEGIN SELECT RAISE(ABORT, '\(name) is never changed'); END
            """,
            """
            CREATE TRIGGER \(table)_is_never_shortened BEFORE DELETE ON \(table)
            BEGIN SELECT RAISE(ABORT, '\(name) is never shortened'); END
            """,
            // INSERT OR REPLACE deletes without firing a DELETE trigger, so an insert may only go to the end.
            """
            CREATE TRIGGER \(table)_only_grows BEFORE INSERT ON \(table)
            WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM \(table))
                OR NEW.previous_hash IS NOT
                    (SELECT coalesce((SELECT hash FROM \(table) ORDER BY sequence DESC LIMIT 1), zeroblob(32)))
            BEGIN SELECT RAISE(ABORT, '\(name) only grows, event by event'); END
            """,
        ]
    }
}
