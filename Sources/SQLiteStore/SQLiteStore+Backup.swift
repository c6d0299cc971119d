import Glibc
public import VerificationCore

extension SQLiteStore {
    /// Writes a copy of the database to a path where nothing is yet, while the store goes on working.
    ///
    /// The copy is consistent, whole (its integrity is checked before it gets its name) and durable. Copying the
    /// database's file by other means while a gateway runs is not safe: what is in its write-ahead log is missing.
    ///
    /// In the copy, whatever still waits is ended: `created` sessions are expired and those in `processing` failed as
    /// interrupted. A nonce that was spent after the copy was made could else be spent again after a restore. Messages
    /// to clients and to operators are given up there, as `restored`: the store that they were copied from has most likely delivered
    /// them, a client could hear of an end that is not the one it heard of before, and a copy that is opened to try it
    /// must not call anybody's app. They can be seen, and the client sees its session. Erasures stay and leave again,
    /// because a provider that is asked twice has erased, and one that is never asked has not.
    /// Throws `.alreadyExists` where something is at the path, and `.conflict` for a database in memory.
    public func backup(to target: String, at now: Timestamp) async throws(StoreError) {
        guard let path else { throw .conflict }
        try await DatabaseCopy.make(of: path, to: target, at: now)
    }
}

/// Copies of a database, made beside whoever has it open.
public enum DatabaseCopy {
    /// Copies the database at a path as ``SQLiteStore/backup(to:at:)`` does. It takes no lock of ours and changes nothing of
    /// the original: a reader of SQLite's is all that its gateway could see of it.
    public static func make(
        of path: String, to target: String, at now: Timestamp
    ) async throws(StoreError) {
        guard access(target, F_OK) != 0 else { throw .alreadyExists }
        let partial = target + ".partial"
        unlink(partial)
        // Made here, empty, so that only its owner can ever read it.
        let file = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unavailable }
        Glibc.close(file)
        do throws(StoreError) {
            // A thread and a connection of its own: readers and the writer do not wait for it.
            let source = try DatabaseThread(
                try Connection(path: path, access: .readWrite), role: .reader, queueLimit: 1)
            do throws(StoreError) {
                try await source.run { connection throws(StoreError) in
                    _ = try connection.execute("VACUUM INTO ?", [.text(partial)])
                    try Self.endWaiting(in: partial, at: now)
                }
            } catch {
                await source.close()
                throw error
            }
            await source.close()
            guard synchronize(partial), link(partial, target) == 0, synchronize(directory(of: target)) else {
                throw .unavailable
            }
            unlink(partial)
        } catch {
            unlink(partial)
            throw error
        }
    }

    private static func endWaiting(in path: String, at now: Timestamp) throws(StoreError) {
        let copy = try Connection(path: path, access: .readWrite)
        // No log or journal beside the copy; it is thrown away whole if this fails.
        try copy.run("PRAGMA journal_mode = MEMORY")
        for status in SessionStatus.allCases {
            let event: SessionEvent
            switch status {
            case .created: event = .expire
            case .processing: event = .fail
            case .verified, .rejected, .failed, .expired, .cancelled: continue
            }
            guard let next = status.after(event) else { throw .internal }
            try copy.execute(
                """
                UPDATE session SET status = ?, ended_at = ?, failure = ?, wait_step = NULL, wait_next_at = NULL,
                    wait_asked = NULL
                WHERE status = ?
                """,
                [
                    .text(next.rawValue), .time(now),
                    event == .fail ? .text(FailureCode.interrupted.rawValue) : .null, .text(status.rawValue),
                ])
        }
        try copy.execute(
            """
            UPDATE outbox SET dead_at = ?, last_error = 'restored'
            WHERE kind IN ('session_ended', 'budget_reached') AND dead_at IS NULL
            """, [.time(now)])
        let found = try copy.query("PRAGMA integrity_check") { row throws(StoreError) in try row.text(0) }
        guard found == ["ok"] else { throw .corrupt }
    }
}
