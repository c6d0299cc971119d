import Foundation
import Ledger
import SQLiteStore
import Testing
import VerificationCore

/// Whoever writes into the database, with or without its guards.
@Suite struct TamperTests {
    private static let shell = "/usr/bin/sqlite3"

    private static func isThere() -> Bool {
        let found = FileManager.default.isExecutableFile(atPath: shell)
        if !found { print("SKIPPED: \(shell) is absent: nobody attacks the ledger from outside") }
        return found
    }

    /// A closed month with every kind of event, and every column filled somewhere.
    private func database() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file("ledger.sqlite"))
        var drafts = [
            Bench.event(.started, 1, at: "2026-11-10T00:00:00Z"), Bench.event(.ended, 1, at: "2026-11-10T00:00:01Z"),
            Bench.event(.started, 2, at: "2026-11-10T00:00:00Z"),
            Bench.event(.uncertain, 2, at: "2026-11-10T00:00:01Z"),
            Bench.event(.resolved, 2, at: "2026-11-11T00:00:00Z"),
            Bench.event(.adjusted, 1, at: "2026-11-12T00:00:00Z"),
        ]
        drafts[1].providerTime = Bench.time("2026-11-10T00:00:00.5Z")
        drafts[1].certification = "第1号"
        drafts[4].settles = 4
        drafts[5].actor = "finance"
        drafts[5].note = "why"
        drafts[5].month = "2026-11"
        drafts[5].amount = 500_000
        drafts[5].currency = "JPY"
        let written = drafts
        try await store.append(written)
        let bench = try Bench()
        var closing = Bench.event(.closed, 9, at: "2026-12-01T00:00:00Z")
        closing.call = nil
        closing.month = "2026-11"
        closing.statement = [UInt8](repeating: 7, count: 32)
        let close = closing
        _ = bench
        _ = try await store.close(
            close, adjustments: [], statement: [1, 2, 3], head: 6, monthEnd: Bench.time("2026-12-01T00:00:00Z"))
        await store.close()
        return folder
    }

    private func columns(_ table: String, of path: String) throws -> [String] {
        try run(Self.shell, [path, "SELECT name FROM pragma_table_info('\(table)')"]).1
            .split(separator: "\n").map(String.init)
    }

    @Test(.enabled { isThere() })
    func `Q09 no statement through the sqlite3 shell changes or removes what the ledger, a report or a closing is of`()
        async throws
    {
        let folder = try await database()
        let path = folder.file("ledger.sqlite")
        var attacks: [String] = []
        for table in ["ledger", "usage_call", "usage_name", "statement"] {
            let columns = try columns(table, of: path)
            #expect(columns.count >= 2)
            for column in columns { attacks.append("UPDATE \(table) SET \(column) = \(column)") }
            attacks.append("DELETE FROM \(table)")
            attacks.append("REPLACE INTO \(table) SELECT * FROM \(table)")
        }
        let before = try run(Self.shell, [path, ".dump"]).1
        for attack in attacks {
            let (status, complaint) = try run(Self.shell, [path, attack])
            #expect(status != 0, "\(attack)")
            #expect(complaint.contains("the ledger"), "\(attack): \(complaint)")
        }
        #expect(try run(Self.shell, [path, ".dump"]).1 == before)
    }

    @Test(.enabled { isThere() })
    func `one byte changed in any column of any event is found, and the event is named`() async throws {
        let folder = try await database()
        let path = folder.file("ledger.sqlite")
        let guards = try run(Self.shell, [path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'"]).1
        for name in guards.split(separator: "\n") { _ = try run(Self.shell, [path, "DROP TRIGGER \(name)"]) }
        var found = 0
        for column in try columns("ledger", of: path) where column != "sequence" {
            for sequence in 1...7 {
                // Another digit, another letter, another bit: whatever stands there.
                let changed = """
                    CASE typeof(\(column)) WHEN 'integer' THEN \(column) + 1
                    WHEN 'blob' THEN CAST(x'ff' || substr(\(column), 2) AS BLOB)
                    WHEN 'text' THEN \(column) || '.' ELSE NULL END
                    """
                let copy = folder.file("copy.sqlite")
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: path, toPath: copy)
                let (status, complaint) = try run(
                    Self.shell,
                    [
                        copy,
                        "PRAGMA ignore_check_constraints = 1; UPDATE ledger SET \(column) = \(changed) "
                            + "WHERE sequence = \(sequence) AND \(column) IS NOT NULL; SELECT changes()",
                    ])
                // Some columns have indexes that refuse two events of one name: that is refused as well.
                guard status == 0 else {
                    #expect(complaint.contains("UNIQUE"), "\(column): \(complaint)")
                    continue
                }
                guard complaint.hasSuffix("1\n") else { continue }
                let reader = try LedgerReader(path: copy)
                do throws(StoreError) {
                    let events = try await reader.ledger(from: 1, limit: 99)
                    #expect(LedgerChain.verify(events) == Int64(sequence), "\(column) of \(sequence)")
                } catch {
                    // A word that means nothing is not read at all.
                    #expect(error == .corrupt, "\(column) of \(sequence)")
                }
                await reader.close()
                found += 1
            }
        }
        #expect(found > 80)
    }
}
