import ConformanceKit
import Foundation
import Ledger
import MemoryStore
import Testing
import VerificationCore

@testable import SQLiteStore

/// Databases of older versions. `Fixtures/version1.sql` is a dump of a database that version 1 of the schema was made
/// and filled by, with the program of that time.
@Suite struct MigrationTests {
    private static let dump = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/version1.sql")

    /// Writes the old database into a folder, with its header as it was.
    static func restore(into folder: Folder) throws {
        #expect(FileManager.default.createFile(atPath: folder.database, contents: nil))
        let raw = try Connection(path: folder.database, access: .readWrite)
        try raw.run(try String(contentsOf: dump, encoding: .utf8))
        try raw.run("PRAGMA application_id = \(0x5345_4B49)")
        try raw.run("PRAGMA user_version = 1")
    }

    /// What was done to the old database, done to a store of today.
    private func replay(on store: any Store) async throws {
        for number in 1...10 {
            var record = Sample.session(number)
            record.routing = Routing()
            record.attempt = nil
            if number >= 9 { record.wrappedKey = nil }
            if number == 10 { record.referenceIndex = nil }
            let next = record
            _ = try await store.create(
                next, idempotency: Sample.idempotency("c\(number)", session: number, body: number), ledger: [])
        }
        for number in [2, 3, 4, 5, 8] {
            _ = try await store.claim(
                id(number), at: Sample.after(500), processingDeadline: Sample.after(2000),
                idempotency: Sample.idempotency("s\(number)", scope: "submission:ses_\(number)", session: number),
                ledger: [])
        }
        _ = try await store.conclude(id(3), with: Sample.ending(3, .verified), ledger: Sample.pair(3))
        _ = try await store.conclude(
            id(4), with: Sample.ending(4, .rejected), ledger: Sample.pair(4, outcome: .rejected))
        _ = try await store.conclude(
            id(5), with: SessionEnding(kind: .failed(.providerTimeout), at: Sample.after(900)),
            ledger: Sample.pair(5, outcome: .failed))
        _ = try await store.conclude(id(8), with: Sample.ending(8, .verified), ledger: Sample.pair(8))
        _ = try await store.erase(id(8), at: Sample.after(700))
        _ = try await store.claim(
            id(6), at: Sample.after(1001), processingDeadline: Sample.after(2000), idempotency: nil, ledger: [])
        _ = try await store.cancel(id(7), reason: "user_cancelled", at: Sample.after(30))
        _ = try await store.keepSetting("check", [1, 2, 3])
    }

    private func id(_ number: Int) -> SessionID { SessionID("ses_\(number)") }

    @Test func `Q10 a database of version 1 opens, keeps everything, and does what version 2 does`() async throws {
        let folder = try Folder()
        try Self.restore(into: folder)
        let expected = MemoryStore()
        try await replay(on: expected)
        let store = try SQLiteStore(path: folder.database)
        for number in 1...10 {
            #expect(try await store.session(id(number)) == expected.session(id(number)))
            let key = Sample.idempotency("c\(number)", session: number, body: number)
            #expect(try await store.idempotency(key.key) == key)
        }
        #expect(try await store.counts() == expected.counts())
        #expect(try await store.incidents() == expected.incidents())
        #expect(try await store.sealingKeyNames() == expected.sealingKeyNames())
        #expect(try await store.setting("check") == [1, 2, 3])
        let events = try await store.ledger(from: 1, limit: 100)
        #expect(events.count == 8)
        #expect(try await events == expected.ledger(from: 1, limit: 100))
        #expect(LedgerChain.verify(events) == nil)
        // Old sessions are found by reference, provider's reference and list; old events are no open calls.
        for number in 1...10 {
            var filter = SessionFilter()
            filter.referenceIndexes = [Sample.bytes(number, marked: "INDEX")]
            let search = filter
            let found = try await store.sessions(search, olderThan: nil, limit: 9)
            #expect(found.map(\.id) == (number == 8 || number == 10 ? [] : [id(number)]))
        }
        #expect(
            try await store.session(of: VerifierID("in-house"), providerReference: "final-3")?.id == id(3))
        #expect(try await store.sessions(SessionFilter(), olderThan: nil, limit: 99).count == 10)
        #expect(try await store.openCalls(limit: 9).isEmpty)
        // What old events leave of their calls is what the same events leave today, but for the names' numbers.
        #expect(try await Set(store.usageNames().names) == Set(expected.usageNames().names))
        #expect(try await store.usageVerifiers() == expected.usageVerifiers())
        var seen: [[UsageCall]] = []
        for each in [store as any Store, expected] {
            var found = try await each.usageCalls(
                of: VerifierID("in-house"), by: .provider, in: Sample.start..<Sample.after(9999), changedAfter: 0,
                after: nil, limit: 99)
            for place in found.indices {
                (found[place].verifier, found[place].client, found[place].purpose) = (0, 0, 0)
            }
            seen.append(found)
        }
        #expect(seen[0] == seen[1])
        #expect(seen[0].map(\.outcome) == [.verified, .rejected, .failed, .verified])
        #expect(try await store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))
        // The chain goes on in the new layout, and an old session ends as a new one does.
        for each in [store as any Store, expected] {
            _ = try await each.suspend(id(2), Sample.suspension(2), ledger: [Sample.event(.started, 2)])
            _ = try await each.conclude(id(2), with: Sample.ending(2), ledger: [Sample.event(.ended, 2)])
            _ = try await each.eraseDue(at: Sample.after(1 << 40))
            _ = try await each.purge(endedBefore: Sample.after(1 << 40))
        }
        let longer = try await store.ledger(from: 1, limit: 100)
        #expect(try await longer == expected.ledger(from: 1, limit: 100))
        #expect(LedgerChain.verify(longer) == nil)
        #expect(try await store.counts() == expected.counts())
        #expect(try await store.outboxCounts() == expected.outboxCounts())
        await store.close()
        let reader = try LedgerReader(path: folder.database)
        #expect(try await reader.firstDisagreement() == nil)
        await reader.close()
    }

    @Test func `a database that was brought up to date has the schema of one that was made today`() async throws {
        let (old, new) = (try Folder(), try Folder())
        try Self.restore(into: old)
        for folder in [old, new] { await (try SQLiteStore(path: folder.database)).close() }
        let schemas = try [old, new].map { folder in
            try Connection(path: folder.database, access: .readOnly).query(
                "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
            ) { row throws(StoreError) in try row.text(0) + ": " + row.text(1) }
        }
        #expect(schemas[0] == schemas[1])
        #expect(schemas[0].count > 40)
    }

    @Test func `Q10 a kill at any statement of the later steps leaves the version before or the one after, whole`()
        async throws
    {
        let later = Migrations.current.steps.dropFirst()
        let statements = later.reduce(0) { $0 + $1.statements.count }
        var versions: [Int64: Int] = [:]
        // The first, the last and some between: each is a process of its own.
        for step in Array(stride(from: 0, to: statements, by: 5)) + (0...later.count).map({ statements + $0 }) {
            let folder = try Folder()
            try Self.restore(into: folder)
            _ = try await Crasher(["upgrade", folder.database, String(step)]).finish()
            let raw = try Connection(path: folder.database, access: .readWrite)
            let version = try raw.first("PRAGMA user_version") { row throws(StoreError) in try row.integer(0) }
            versions[version ?? 0, default: 0] += 1
            let columns = try raw.query("SELECT name FROM pragma_table_info('ledger')") {
                row throws(StoreError) in try row.text(0)
            }
            #expect(columns.contains("statement") == ((version ?? 0) >= 2))
            let names = try raw.query("SELECT name FROM sqlite_schema") { row throws(StoreError) in try row.text(0) }
            #expect(names.contains("usage_call") == ((version ?? 0) >= 3))
            #expect(names.contains("told") == ((version ?? 0) >= 6) && !names.contains("outbox_next"))
            #expect(names.contains("session_ended_is_told") == ((version ?? 0) >= 2))
            #expect(!names.contains("ledger_attempt"), "what only the step itself needs")
            #expect(
                try raw.first("SELECT count(*) FROM session") { row throws(StoreError) in try row.integer(0) } == 10)
            // The next start finishes what was begun.
            let store = try SQLiteStore(path: folder.database)
            #expect(LedgerChain.verify(try await store.ledger(from: 1, limit: 100)) == nil)
            #expect(try await store.counts().values.reduce(0, +) == 10)
            await store.close()
        }
        #expect(versions[Int64(Migrations.current.version)] == 1, "only the run that nobody killed")
        #expect((versions[1] ?? 0) > 5 && (versions[2] ?? 0) > 3)
    }
}
