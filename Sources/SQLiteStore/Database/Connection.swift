import CSQLite
package import VerificationCore

/// One connection to a database, used by one thread at a time, with its prepared statements.
///
/// With ``Row``, the only place that touches SQLite's pointers. Errors never hold a bound value.
package final class Connection {
    /// What a connection may do.
    package enum Access { case readWrite, readOnly }

    /// How long a statement waits for another process's lock.
    static let busyMilliseconds: Int32 = 5000
    /// Page cache: 8 MB a connection, twice over the size of a day's busy pages.
    private static let cacheKibibytes = 8000

    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Set once in a process; a process that uses SQLite by itself before us keeps its counts.
    private static let countsNoMemory = sekisho_count_no_memory() == SQLITE_OK

    /// Opens a database; a file is not made here.
    package init(path: String, access: Access) throws(StoreError) {
        _ = Self.countsNoMemory
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
            | (access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY)
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw StoreError(resultCode: code)
        }
        database = opened
        sqlite3_busy_timeout(database, Self.busyMilliseconds)
        // No extension is ever loaded, the schema is not trusted with functions, and nobody writes the schema table.
        for (option, value) in [
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        ] as [(Int32, Int32)] {
            guard sekisho_db_config(database, option, value) == SQLITE_OK else { throw .internal }
        }
        try run("PRAGMA trusted_schema = OFF")
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA temp_store = MEMORY")
        try run("PRAGMA cache_size = -\(Self.cacheKibibytes)")
        try run("PRAGMA secure_delete = ON")
        try run("PRAGMA cell_size_check = ON")
        try run("PRAGMA synchronous = FULL")
        if access == .readOnly { try run("PRAGMA query_only = ON") }
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// Whether no transaction is open: after some errors SQLite has rolled back by itself.
    var isAutocommit: Bool { sqlite3_get_autocommit(database) != 0 }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(database)) }

    /// The rowid of the last insert.
    var lastRow: Int64 { sqlite3_last_insert_rowid(database) }

    /// Sets how long a statement waits for a lock.
    func wait(milliseconds: Int32) { sqlite3_busy_timeout(database, milliseconds) }

    /// Runs statements without values that are not worth keeping prepared: pragmas and the schema.
    package func run(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreError(resultCode: code) }
    }

    /// Runs one statement and returns how many rows it changed.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
        _ = try query(sql, values) { (_: borrowing Row) throws(StoreError) in }
        return changes
    }

    /// Runs one statement and reads the first row, if there is one.
    func first<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try query(sql, values, read).first
    }

    /// Runs one statement and reads every row.
    func query<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        let statement = try prepared(sql)
        // Resetting ends the read transaction, clearing lets go of the values.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        try bind(values, to: statement)
        var found: [Value] = []
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW: found.append(try read(Row(statement: statement)))
            case SQLITE_DONE: return found
            default: throw StoreError(resultCode: code)
            }
        }
    }

    private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw StoreError(resultCode: code) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ values: [SQLValue], to statement: OpaquePointer) throws(StoreError) {
        guard values.count == Int(sqlite3_bind_parameter_count(statement)) else { throw .internal }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code: Int32 =
                switch value {
                case .null: sqlite3_bind_null(statement, place)
                case .integer(let value): sqlite3_bind_int64(statement, place, value)
                case .text(let value): sekisho_bind_text(statement, place, value, Int32(value.utf8.count))
                case .blob(let value): sekisho_bind_blob(statement, place, value, Int32(value.count))
                }
            guard code == SQLITE_OK else { throw StoreError(resultCode: code) }
        }
    }
}
