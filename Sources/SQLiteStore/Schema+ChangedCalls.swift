extension Migrations {
    /// Version 5: calls by what was written of them last.
    static let changedCalls: [String] = [
        // What comes late for a closed month is a handful among the calls since, whatever their times: the index holds
        // the times too, so that only what is found is read.
        "CREATE INDEX usage_changed ON usage_call (verifier, last_sequence, started_at, by_end, by_provider)"
    ]
}
