import ConformanceKit
import Foundation
import Ledger
import Testing
import VerificationCore

@testable import SQLiteStore

/// The ledger's calls in the database: what finds them, and what keeps them as they were written.
@Suite struct CallTests {
    @Test func `every look-up goes by an index, whatever it asks`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let connection = try Connection(path: folder.database, access: .readOnly)
        func plan(_ sql: String) throws -> [String] {
            // Without values, EXPLAIN QUERY PLAN needs none bound.
            let count = sql.filter { $0 == "?" }.count
            let numbered = sql.contains("?2") ? 2 : sql.contains("?1") ? 1 : count
            return try connection.query(
                "EXPLAIN QUERY PLAN " + sql, [SQLValue](repeating: .null, count: numbered)
            ) { row throws(StoreError) in try row.text(3) }
        }
        let searches: [(String, String)] = [
            (LedgerRow.open, "SEARCH l USING INTEGER PRIMARY KEY"),
            (LedgerRow.uncertain, "SEARCH l USING INTEGER PRIMARY KEY"),
            (LedgerRow.ofSession, "SEARCH l USING INDEX ledger_session"),
            (LedgerRow.select + " WHERE l.sequence >= ? ORDER BY l.sequence LIMIT ?", "INTEGER PRIMARY KEY"),
            (SessionRow.byReference, "SEARCH s USING INDEX session_reference"),
            (SessionRow.dueWaits, "SEARCH s USING INDEX session_wait"),
            (OutboxRow.due, "SEARCH outbox USING INDEX outbox_due"),
            (OutboxRow.dead, "USING INDEX outbox_dead"),
            ("SELECT 1 FROM ledger WHERE attempt = ? AND call = ? AND kind = 'started'", "ledger_call_started"),
            (
                "SELECT 1 FROM ledger WHERE attempt = ? AND call = ? AND kind IN ('ended', 'uncertain')",
                "ledger_call_ended"
            ),
            ("SELECT 1 FROM ledger WHERE attempt = ? AND call = ? AND kind = 'resolved'", "ledger_call_resolved"),
        ]
        for (sql, expected) in searches {
            let steps = try plan(sql)
            #expect(steps.contains { $0.contains(expected) }, "\(sql): \(steps)")
            for step in steps {
                #expect(
                    !step.hasPrefix("SCAN l") && !step.hasPrefix("SCAN s") && !step.hasPrefix("SCAN ledger"), "\(step)")
                #expect(!step.contains("AUTOMATIC"), "\(step)")
            }
            // An order that the index does not give would be sorted, however much there is.
            if sql != SessionRow.byReference { #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(sql)") }
        }
        await store.close()
    }

    @Test func `every search for sessions goes by the index of its leading condition, in order`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let connection = try Connection(path: folder.database, access: .readOnly)
        let changes: [(String, (inout SessionFilter) -> Void)] = [
            ("session_time", { _ in }), ("session_status", { $0.statuses = [.failed] }),
            ("session_status", { $0.statuses = [.created, .processing] }),
            ("session_verifier", { $0.verifier = VerifierID("a") }), ("session_client", { $0.client = ClientID("a") }),
            ("session_bucket", { $0.referenceIndexes = [[1, 2, 3], [4, 5, 6]] }),
            ("session_time", { $0.purpose = PurposeID("p") }), ("session_time", { $0.reason = .digestMismatch }),
            (
                "session_client",
                {
                    $0.client = ClientID("a")
                    $0.verifier = VerifierID("v")
                    $0.statuses = [.verified, .rejected]
                    $0.createdFrom = Sample.start
                    $0.createdBefore = Sample.after(9)
                }
            ),
        ]
        for (index, change) in changes {
            for cursor in [nil, SessionCursor(createdAt: Sample.start, id: SessionID("ses_1"))] {
                var filter = SessionFilter()
                change(&filter)
                for statement in SessionSearch(filter, olderThan: cursor, limit: 9).statements {
                    let steps = try connection.query("EXPLAIN QUERY PLAN " + statement.sql, statement.values) {
                        row throws(StoreError) in try row.text(3)
                    }
                    #expect(steps.contains { $0.contains("s USING INDEX \(index)") }, "\(index): \(steps)")
                    #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
                }
            }
        }
        await store.close()
    }

    @Test func `the database itself refuses to tell a call twice or to forget an open one`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        try await store.append([Sample.event(.started, 1), Sample.event(.started, 2), Sample.event(.uncertain, 2)])
        let before = try await store.ledger(from: 1, limit: 10)
        let raw = try Connection(path: folder.database, access: .readWrite)
        let head = "(SELECT hash FROM ledger WHERE sequence = 3)"
        let columns = """
            attempt, role, session, verifier, client, purpose, provider_reference, at, provider_time, billable_class,
            quantity, outcome, certification, configuration_version, settles, call, actor, note, month, amount,
            currency, statement
            """
        let names = "sequence, previous_hash, hash, kind, \(columns)"
        let attacks = [
            // A REPLACE that goes to the end would take out the event before it without any DELETE trigger.
            "INSERT OR REPLACE INTO ledger (\(names)) SELECT 4, \(head), hash, 'started', \(columns) FROM ledger WHERE sequence = 1",
            "INSERT OR REPLACE INTO ledger (\(names)) SELECT 4, \(head), hash, 'ended', \(columns) FROM ledger WHERE sequence = 3",
            "INSERT OR IGNORE INTO ledger (\(names)) SELECT 4, \(head), hash, 'uncertain', \(columns) FROM ledger WHERE sequence = 3",
            "REPLACE INTO ledger (\(names)) SELECT 1, previous_hash, hash, kind, \(columns) FROM ledger WHERE sequence = 1",
            "UPDATE ledger SET call = NULL", "UPDATE ledger SET note = 'x' WHERE sequence = 1",
            "UPDATE OR REPLACE ledger SET attempt = 'att_1', kind = 'started' WHERE sequence = 2",
            "DELETE FROM call_open", "DELETE FROM call_open WHERE sequence = 1", "DELETE FROM call_uncertain",
            "UPDATE call_open SET sequence = 2", "UPDATE call_uncertain SET sequence = 1",
            "INSERT INTO call_open (sequence) VALUES (3)", "INSERT INTO call_open (sequence) VALUES (77)",
            "INSERT INTO call_uncertain (sequence) VALUES (1)", "REPLACE INTO call_open (sequence) VALUES (3)",
        ]
        for attack in attacks {
            #expect(throws: StoreError.internal, "\(attack)") { try raw.run(attack) }
        }
        // Refused by what was meant to refuse it, as the shell of SQLite tells it.
        let shell = "/usr/bin/sqlite3"
        if FileManager.default.isExecutableFile(atPath: shell) {
            for attack in attacks {
                let said = try await onThread {
                    let process = Process()
                    let output = Pipe()
                    process.executableURL = URL(fileURLWithPath: shell)
                    process.arguments = [folder.database, attack]
                    process.standardError = output
                    try process.run()
                    process.waitUntilExit()
                    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                }
                #expect(said.contains("the ledger") || said.contains("the call is"), "\(attack): \(said)")
            }
        }
        #expect(try await store.ledger(from: 1, limit: 10) == before)
        #expect(try await store.openCalls(limit: 9).map(\.sequence) == [1])
        #expect(try await store.uncertainCalls(after: 0, limit: 9).map(\.sequence) == [3])
        // What the attacks tried is possible where it is true.
        try await store.append([Sample.event(.ended, 1), Sample.event(.resolved, 2)])
        #expect(try await store.openCalls(limit: 9).isEmpty)
        #expect(try await store.uncertainCalls(after: 0, limit: 9).isEmpty)
        await store.close()
    }

    @Test func `of a group of writes one call told twice does not undo the others`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        // A lock of another's holds the writer up, so that the rest is one group.
        let other = try Connection(path: folder.database, access: .readWrite)
        try other.run("BEGIN IMMEDIATE")
        let tasks = (0..<200).map { number in
            Task { () async -> StoreError? in
                var record = Sample.told(number)
                record.eraseTicket = nil
                let next = record
                do throws(StoreError) {
                    _ = try await store.create(
                        next, idempotency: nil, ledger: [Sample.event(.started, number / 2, call: CallName(.begin))])
                    return nil
                } catch {
                    return error
                }
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        try other.run("COMMIT")
        var outcomes: [StoreError?] = []
        for task in tasks { outcomes.append(await task.value) }
        #expect(outcomes.filter { $0 == nil }.count == 100)
        #expect(outcomes.filter { $0 == .conflict }.count == 100)
        #expect(try await store.counts() == [.created: 100])
        let events = try await store.ledger(from: 1, limit: 1000)
        #expect(events.count == 100)
        #expect(LedgerChain.verify(events) == nil)
        #expect(try await store.openCalls(limit: 1000).count == 100)
        await store.close()
    }
}
