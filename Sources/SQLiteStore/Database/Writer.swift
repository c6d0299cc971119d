import VerificationCore

/// The work of the writing thread: group commit, and emptying the log after an erasure.
struct Writer {
    /// How long an emptying of the log waits for readers; what it could not do is tried again.
    private static let truncateMilliseconds: Int32 = 200
    /// How soon it is tried again where nothing else is written.
    private static let retrySeconds = 1

    let connection: Connection

    func work(off inbox: Inbox<DatabaseThread.Job>) {
        var owesTruncation = false
        while let jobs = inbox.take(DatabaseThread.batch, waiting: owesTruncation ? Self.retrySeconds : nil) {
            let errors = commit(jobs)
            // Whoever erased something hears of it when it has left the log too; the others need not wait for that.
            let erasing = zip(jobs, errors).map { $1 == nil && $0.erased() }
            for (place, job) in jobs.enumerated() where !erasing[place] { job.finish(errors[place]) }
            if owesTruncation || erasing.contains(true) { owesTruncation = !truncateLog() }
            for (place, job) in jobs.enumerated() where erasing[place] { job.finish(nil) }
        }
        // Whatever was accepted is committed; the last connection to close empties the log.
        _ = truncateLog()
    }

    /// Runs jobs in one transaction, each in a savepoint of its own, and says what came of each.
    private func commit(_ jobs: [DatabaseThread.Job]) -> [StoreError?] {
        guard !jobs.isEmpty else { return [] }
        do {
            // IMMEDIATE takes the write lock before anything is read, so no upgrade can fail half-way.
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            return jobs.map { _ in error }
        }
        var errors: [StoreError?] = []
        for job in jobs {
            let error = attempt(job)
            errors.append(error)
            if connection.isAutocommit { return lost(errors, of: jobs.count) }
        }
        do {
            // What only failed leaves pages that were touched and put back: they are not worth a write.
            try connection.execute(errors.contains { $0 == nil } ? "COMMIT" : "ROLLBACK")
            return errors
        } catch {
            try? connection.run("ROLLBACK")
            return errors.map { $0 ?? error }
        }
    }

    /// A full disk or a failed write can roll everything back: nothing of the batch was written then.
    private func lost(_ errors: [StoreError?], of count: Int) -> [StoreError?] {
        errors.map { $0 ?? .unavailable } + (errors.count..<count).map { _ in .unavailable }
    }

    private func attempt(_ job: DatabaseThread.Job) -> StoreError? {
        do {
            try connection.execute("SAVEPOINT job")
            guard let failure = job.perform(connection) else {
                try connection.execute("RELEASE job")
                return nil
            }
            if !connection.isAutocommit {
                try connection.execute("ROLLBACK TO job")
                try connection.execute("RELEASE job")
            }
            return failure
        } catch {
            // Where a savepoint cannot be undone, nothing of the batch may be committed.
            if !connection.isAutocommit { try? connection.run("ROLLBACK") }
            return error
        }
    }

    /// Copies the log into the database and empties it, so that bytes erased from the one are not in the other.
    private func truncateLog() -> Bool {
        connection.wait(milliseconds: Self.truncateMilliseconds)
        defer { connection.wait(milliseconds: Connection.busyMilliseconds) }
        let busy = try? connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { row throws(StoreError) in
            try row.integer(0)
        }
        return busy == 0
    }
}
