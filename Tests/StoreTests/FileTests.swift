import ConformanceKit
import Foundation
import Testing
import VerificationCore

@testable import SQLiteStore

/// The database as a file: whose it is, who may open it, what it is set to.
@Suite struct FileTests {
    @Test func `a second gateway on one file is refused with a clear error, by whatever name it comes`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let alias = folder.file("alias.sqlite")
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: folder.database)
        for path in [folder.database, alias] {
            #expect(throws: StoreOpeningError(path, .locked)) { try SQLiteStore(path: path) }
        }
        #expect(StoreOpeningError("db", .locked).description.contains("another gateway"))
        // The refused ones did no harm to the first.
        try await store.probe(at: Sample.start)
        await store.close()
        let next = try SQLiteStore(path: alias)
        try await next.probe(at: Sample.start)
        await next.close()
    }

    @Test func `Q10 a newer schema is refused and left as it is`() async throws {
        let folder = try Folder()
        await (try SQLiteStore(path: folder.database)).close()
        let raw = try Connection(path: folder.database, access: .readWrite)
        try raw.run("PRAGMA user_version = 7")
        #expect(throws: StoreOpeningError(folder.database, .newerSchema(found: 7, known: 6))) {
            try SQLiteStore(path: folder.database)
        }
        #expect(try raw.first("PRAGMA user_version") { row throws(StoreError) in try row.integer(0) } == 7)
    }

    @Test func `a database of another program is refused and left as it is`() throws {
        for statement in ["CREATE TABLE theirs (x)", "PRAGMA application_id = 5", "PRAGMA user_version = 1"] {
            let folder = try Folder()
            #expect(FileManager.default.createFile(atPath: folder.database, contents: nil))
            do {
                let raw = try Connection(path: folder.database, access: .readWrite)
                try raw.run(statement)
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
            #expect(throws: StoreOpeningError(folder.database, .foreign)) { try SQLiteStore(path: folder.database) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
        }
    }

    @Test func `a file that is no database is refused and left as it is, and a folder that is not there is named`()
        throws
    {
        let folder = try Folder()
        let text = Data(String(repeating: "not a database\n", count: 500).utf8)
        try text.write(to: URL(fileURLWithPath: folder.database))
        #expect(throws: StoreOpeningError(folder.database, .corrupt)) { try SQLiteStore(path: folder.database) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == text)
        let nowhere = folder.file("none/db")
        #expect(throws: StoreOpeningError(nowhere, .unusable(ENOENT))) { try SQLiteStore(path: nowhere) }
    }

    @Test func `only the owner can read the files, also the log`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        try await store.probe(at: Sample.start)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(["", "-wal", "-shm", ".lock"].map { "sekisho.sqlite" + $0 }))
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        await store.close()
    }

    @Test func `a connection is set as decided`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        for (access, readOnly) in [(Connection.Access.readWrite, Int64(0)), (.readOnly, 1)] {
            let connection = try Connection(path: folder.database, access: access)
            let expected: [(String, Int64)] = [
                ("synchronous", 2), ("secure_delete", 1), ("trusted_schema", 0), ("foreign_keys", 1),
                ("temp_store", 2), ("cache_size", -8000), ("cell_size_check", 1), ("query_only", readOnly),
            ]
            for (pragma, value) in expected {
                let found = try connection.first("PRAGMA \(pragma)") { row throws(StoreError) in try row.integer(0) }
                #expect(found == value, "\(pragma)")
            }
            let mode = try connection.first("PRAGMA journal_mode") { row throws(StoreError) in try row.text(0) }
            #expect(mode == "wal")
            #expect(throws: StoreError.self) { try connection.run("SELECT load_extension('x')") }
        }
        let reader = try Connection(path: folder.database, access: .readOnly)
        #expect(throws: StoreError.unavailable) { try reader.run("DELETE FROM session") }
        await store.close()
    }

    @Test func `Q09 no column of any table holds a float`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let connection = try Connection(path: folder.database, access: .readOnly)
        let types = try connection.query(
            """
            SELECT m.name, p.name, p.type FROM sqlite_schema AS m, pragma_table_info(m.name) AS p
            WHERE m.type = 'table'
            """
        ) { row throws(StoreError) in (try row.text(0), try row.text(1), try row.text(2)) }
        #expect(types.count > 60)
        for (table, column, type) in types {
            #expect(["INTEGER", "TEXT", "BLOB"].contains(type), "\(table).\(column)")
        }
        let loose = try connection.query("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0") {
            row throws(StoreError) in try row.text(0)
        }
        #expect(loose == ["sqlite_schema"])
        await store.close()
    }

    @Test func `the database itself refuses to change, shorten, replace or fork the ledger`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        _ = try await store.create(Sample.session(1), idempotency: nil, ledger: Sample.pair(1) + Sample.pair(2))
        let before = try await store.ledger(from: 1, limit: 10)
        let raw = try Connection(path: folder.database, access: .readWrite)
        let columns = """
            kind, attempt, role, session, verifier, client, purpose, provider_reference, at, provider_time,
            billable_class, quantity, outcome, certification, configuration_version, settles
            """
        let names = "sequence, \(columns), previous_hash, hash"
        for attack in [
            "UPDATE ledger SET quantity = 2", "UPDATE ledger SET hash = hash WHERE sequence = 4", "DELETE FROM ledger",
            "DELETE FROM ledger WHERE sequence = 4",
            "INSERT OR REPLACE INTO ledger SELECT * FROM ledger WHERE sequence = 2",
            "INSERT INTO ledger (\(names)) SELECT 9, \(columns), hash, hash FROM ledger WHERE sequence = 4",
            "INSERT INTO ledger (\(names)) SELECT 5, \(columns), previous_hash, hash FROM ledger WHERE sequence = 4",
            "INSERT INTO ledger (\(names)) SELECT -1, \(columns), hash, hash FROM ledger WHERE sequence = 4",
            "INSERT INTO ledger (\(names)) SELECT NULL, \(columns), hash, hash FROM ledger WHERE sequence = 4",
        ] {
            #expect(throws: StoreError.internal, "\(attack)") { try raw.run(attack) }
        }
        #expect(try await store.ledger(from: 1, limit: 10) == before)
        await store.close()
    }

    @Test func `the ledger can be read beside a working gateway, and reading makes no file`() async throws {
        let folder = try Folder()
        #expect(throws: StoreOpeningError.self) { try LedgerReader(path: folder.database) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let store = try SQLiteStore(path: folder.database)
        _ = try await store.create(Sample.session(1), idempotency: nil, ledger: Sample.pair(1))
        let reader = try LedgerReader(path: folder.database)
        #expect(try await reader.ledger(from: 1, limit: 10) == store.ledger(from: 1, limit: 10))
        _ = try await store.create(Sample.session(2), idempotency: nil, ledger: Sample.pair(2))
        #expect(try await reader.ledger(from: 3, limit: 10).count == 2)
        await reader.close()
        await store.close()
        let later = try LedgerReader(path: folder.database)
        #expect(try await later.ledger(from: 1, limit: 10).count == 4)
        await later.close()
    }

    @Test func `a command reads settings, counts and what is pinned beside a working gateway`() async throws {
        let folder = try Folder()
        #expect(throws: StoreOpeningError.self) { try StoreReader(path: folder.database) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let store = try SQLiteStore(path: folder.database)
        _ = try await store.create(Sample.session(1), idempotency: nil, ledger: [])
        _ = try await store.keepSetting("running", [1, 2])
        let reader = try StoreReader(path: folder.database)
        #expect(try await reader.setting("running") == [1, 2])
        #expect(try await reader.setting("none") == nil)
        #expect(try await reader.counts() == [.created: 1])
        #expect(try await reader.pinned() == store.pinned())
        // What the gateway writes meanwhile is seen, and the gateway is in nobody's way.
        _ = try await store.cancel(SessionID("ses_1"), reason: nil, at: Sample.after(1))
        _ = try await store.create(Sample.session(2), idempotency: nil, ledger: [])
        try await store.replaceSetting("running", with: [3])
        #expect(try await reader.setting("running") == [3])
        #expect(try await reader.counts() == [.created: 1, .cancelled: 1])
        #expect(try await reader.pinned().map(\.count) == [1])
        await reader.close()
        await #expect(throws: StoreError.closed) { try await reader.counts() }
        await store.close()
    }

    @Test func `a database of an older schema is not read by commands as if it were whole`() throws {
        let folder = try Folder()
        try MigrationTests.restore(into: folder)
        #expect(throws: StoreOpeningError(folder.database, .olderSchema(found: 1, known: 6))) {
            try StoreReader(path: folder.database)
        }
        #expect(StoreOpeningError("db", .olderSchema(found: 1, known: 6)).description.contains("start the gateway"))
    }
}
