import VerificationCore

/// One step of the schema, made in one transaction together with its version number.
package struct Migration: Sendable {
    let statements: [String]

    package init(statements: [String]) {
        self.statements = statements
    }
}

/// The schema's steps in order; step `n` brings version `n - 1` to `n`. A step that was released never changes.
package struct Migrations: Sendable {
    /// `SEKI`, in the header of every database of ours.
    static let applicationID: Int64 = 0x5345_4B49

    let steps: [Migration]

    package init(steps: [Migration]) {
        self.steps = steps
    }

    /// The newest version that is known.
    var version: Int { steps.count }

    /// Refuses a foreign database and a newer one, and brings an older one up to date.
    ///
    /// `beforeEach` is called before every statement of a step and before its commit; tests end the process there.
    package func apply(
        to connection: Connection, path: String, beforeEach: (_ version: Int, _ statement: Int) -> Void = { _, _ in }
    ) throws(StoreOpeningError) {
        let found = try header(of: connection, path: path)
        try StoreOpeningError.translating(path) { () throws(StoreError) in
            for target in steps.indices.dropFirst(found.version) {
                try make(target + 1, connection, beforeEach)
            }
        }
    }

    /// Refuses a database that is foreign, newer, older or empty.
    func check(_ connection: Connection, path: String) throws(StoreOpeningError) {
        let found = try header(of: connection, path: path)
        guard found.isOurs else { throw StoreOpeningError(path, .foreign) }
        guard found.version == version else {
            throw StoreOpeningError(path, .olderSchema(found: found.version, known: version))
        }
    }

    private func header(of connection: Connection, path: String) throws(StoreOpeningError) -> Header {
        let found = try StoreOpeningError.translating(path) { () throws(StoreError) in try Header(connection) }
        guard found.isOurs || found.isEmpty else { throw StoreOpeningError(path, .foreign) }
        guard found.version <= version else {
            throw StoreOpeningError(path, .newerSchema(found: found.version, known: version))
        }
        return found
    }

    private func make(
        _ version: Int, _ connection: Connection, _ beforeEach: (Int, Int) -> Void
    ) throws(StoreError) {
        let statements = steps[version - 1].statements
        try connection.run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            for (place, statement) in statements.enumerated() {
                beforeEach(version, place)
                try connection.run(statement)
            }
            try connection.run("PRAGMA application_id = \(Self.applicationID)")
            try connection.run("PRAGMA user_version = \(version)")
            beforeEach(version, statements.count)
            try connection.run("COMMIT")
        } catch {
            if !connection.isAutocommit { try? connection.run("ROLLBACK") }
            throw error
        }
    }
}

/// What the header of a database says about whose it is.
private struct Header {
    let isOurs: Bool
    let isEmpty: Bool
    let version: Int

    init(_ connection: Connection) throws(StoreError) {
        let application = try Self.number("PRAGMA application_id", connection)
        version = Int(try Self.number("PRAGMA user_version", connection))
        isOurs = application == Migrations.applicationID && version > 0
        let objects = try Self.number("SELECT count(*) FROM sqlite_schema", connection)
        isEmpty = application == 0 && version == 0 && objects == 0
    }

    private static func number(_ sql: String, _ connection: Connection) throws(StoreError) -> Int64 {
        try connection.first(sql) { row throws(StoreError) in try row.integer(0) } ?? 0
    }
}
