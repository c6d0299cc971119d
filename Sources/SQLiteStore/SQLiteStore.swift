public import VerificationCore

/// A ``Store`` in one SQLite file, for one machine.
///
/// Writes go through one thread that commits them in groups, each in a savepoint of its own; a method returns only
/// after the commit that holds its effect is on the disk (write-ahead log, `synchronous=FULL`). Reads go through a
/// read-only connection on a thread of its own. A second gateway on the same file is refused by a lock.
public final class SQLiteStore: Store {
    /// What may be set.
    public struct Options: Sendable {
        /// The most writes that wait; one more is `unavailable`. A few seconds' work of a slow disk.
        public var queueLimit = 4096
        /// The most pages of 4096 bytes that the database may have, as a bound against filling the disk.
        public var maximumPages: Int64?

        /// The defaults.
        public init() {}
    }

    /// How large the log file is left after it was worked off: 16 MB, four times what SQLite lets it grow to at rest.
    private static let journalSizeLimit = 16 << 20

    private static let inMemory = ":memory:"

    /// Where the database is; `nil` for one in memory.
    let path: String?
    let writer: DatabaseThread
    let reader: DatabaseThread
    /// A second reader, for what may take long.
    let searcher: DatabaseThread

    /// Opens a database file, makes it where there is none, and brings its schema up to date. `:memory:` is a
    /// database that is gone with the store.
    public convenience init(path: String, options: Options = Options()) throws(StoreOpeningError) {
        try self.init(path: path, options: options, migrations: .current)
    }

    init(path: String, options: Options, migrations: Migrations) throws(StoreOpeningError) {
        let file = path == Self.inMemory ? nil : try DatabaseFile(path: path)
        let actual = file?.path ?? path
        let writing = try Self.writing(to: actual, named: path, options, migrations)
        do throws(StoreError) {
            // The thread lets go of the lock once its connection, the last one, is closed.
            writer = try DatabaseThread(writing, role: .writer, queueLimit: options.queueLimit) { file?.unlock() }
            guard file != nil else {
                reader = writer
                searcher = writer
                self.path = nil
                return
            }
            reader = try DatabaseThread(
                try Connection(path: actual, access: .readOnly), role: .reader, queueLimit: options.queueLimit)
            searcher = try DatabaseThread(
                try Connection(path: actual, access: .readOnly), role: .reader, queueLimit: options.queueLimit)
            self.path = actual
        } catch {
            throw StoreOpeningError(path, .refused)
        }
    }

    private static func writing(
        to path: String, named name: String, _ options: Options, _ migrations: Migrations
    ) throws(StoreOpeningError) -> sending Connection {
        let connection = try StoreOpeningError.translating(name) { () throws(StoreError) in
            try Connection(path: path, access: .readWrite)
        }
        try migrations.apply(to: connection, path: name)
        try StoreOpeningError.translating(name) { () throws(StoreError) in
            let mode = try connection.first("PRAGMA journal_mode = WAL") { row throws(StoreError) in try row.text(0) }
            guard mode == (path == inMemory ? "memory" : "wal") else { throw .unavailable }
            try connection.run("PRAGMA journal_size_limit = \(journalSizeLimit)")
            if let pages = options.maximumPages { try connection.run("PRAGMA max_page_count = \(pages)") }
        }
        return connection
    }

    public func probe(at now: Timestamp) async throws(StoreError) {
        try await writer.run { connection throws(StoreError) in
            _ = try connection.execute(
                "INSERT INTO probe (one, at) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                [.time(now)])
        }
    }

    public func close() async {
        // The readers first, so that the writer is the last connection and empties the log.
        for thread in [searcher, reader] where thread !== writer { await thread.close() }
        await writer.close()
    }
}
