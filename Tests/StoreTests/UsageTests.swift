import ConformanceKit
import Foundation
import Ledger
import Testing
import VerificationCore

@testable import SQLiteStore

/// What reports read: by indexes, guarded, and checked against the ledger.
@Suite struct UsageTests {
    @Test func `every word of a call has a number, and no number changes`() {
        #expect(Set(UsageRow.roles) == Set(AttemptRole.allCases))
        #expect(Set(UsageRow.states) == Set(UsageCall.State.allCases))
        #expect(Set(UsageRow.outcomes) == Set(AttemptOutcome.allCases))
        #expect(Set(UsageRow.classes) == Set(BillableClass.allCases))
        #expect(UsageRow.roles.map(\.rawValue) == ["primary", "fallback", "shadow"])
        #expect(UsageRow.states.map(\.rawValue) == ["open", "ended", "uncertain", "resolved"])
        #expect(UsageRow.outcomes.map(\.rawValue) == ["verified", "rejected", "failed"])
        #expect(
            UsageRow.classes.map(\.rawValue) == [
                "session_created", "evidence_submitted", "completed_any", "completed_pass", "completed_fail",
                "resubmission", "status_check", "data_refetch", "non_billable",
            ])
    }

    @Test func `reports read calls by an index in its order`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let connection = try Connection(path: folder.database, access: .readOnly)
        var searches = [
            (UsageQueries.settlementsStatement, 1, "ledger_settlement"),
            (UsageQueries.closingsStatement, 0, "ledger_settlement"),
            (LedgerRow.select + " WHERE l.month = ? AND l.kind = 'closed'", 1, "ledger_month_closed"),
        ]
        for (rule, index) in [
            (BillingTime.started, "usage_start"), (.ended, "usage_end"), (.provider, "usage_provider"),
        ] {
            let all = UsageQueries.statement(by: rule, changedOnly: false)
            searches.append((all, 6, "SEARCH usage_call USING INDEX \(index)"))
        }
        for (sql, values, index) in searches {
            let steps = try connection.query(
                "EXPLAIN QUERY PLAN " + sql, [SQLValue](repeating: .null, count: values)
            ) { row throws(StoreError) in try row.text(3) }
            #expect(steps.contains { $0.contains(index) }, "\(sql): \(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
        }
        // What comes late is found among the calls since, and put in order where there is any.
        for rule in BillingTime.allCases {
            let steps = try connection.query(
                "EXPLAIN QUERY PLAN " + UsageQueries.statement(by: rule, changedOnly: true),
                [SQLValue](repeating: .null, count: 6)
            ) { row throws(StoreError) in try row.text(3) }
            #expect(
                steps.contains("SEARCH usage_call USING INDEX usage_changed (verifier=? AND last_sequence>?)"),
                "\(steps)")
        }
        // The check of everything reads each table once, and looks the rest up.
        let steps = try connection.query("EXPLAIN QUERY PLAN " + UsageCheck.firstWrongCall) {
            row throws(StoreError) in try row.text(3)
        }
        #expect(steps.filter { $0.hasPrefix("SCAN") }.count == 1, "\(steps)")
        await store.close()
    }

    @Test func `the database itself refuses what the ledger does not say of a call, a name or a statement`()
        async throws
    {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        try await store.append([Sample.event(.started, 1), Sample.event(.ended, 1), Sample.event(.started, 2)])
        var closing = Sample.event(.closed, 9, call: nil)
        closing.month = "2026-11"
        let close = closing
        _ = try await store.close(close, adjustments: [], statement: [1], head: 3, monthEnd: Sample.after(1 << 40))
        let shell = "/usr/bin/sqlite3"
        let names = "sequence, previous_hash, hash, kind, attempt, role, session, verifier, client, purpose, at, "
        let rest = "billable_class, quantity, configuration_version, month"
        for attack in [
            "UPDATE usage_call SET quantity = 0",
            "UPDATE usage_call SET last_sequence = 4, sequence = 9 WHERE sequence = 3",
            "UPDATE usage_call SET last_sequence = 3 WHERE sequence = 1", "DELETE FROM usage_call",
            "REPLACE INTO usage_call SELECT * FROM usage_call WHERE sequence = 1",
            "INSERT INTO usage_call SELECT 4, 4, 0, 1, 2, 0, 1, 0, NULL, 0, 1, 0, NULL, NULL, 0, 0",
            "UPDATE usage_name SET name = 'x'", "DELETE FROM usage_name WHERE number = 2",
            "REPLACE INTO usage_name VALUES (0, 'x')", "REPLACE INTO usage_name VALUES (3, 'app')",
            "UPDATE statement SET bytes = x'02'", "DELETE FROM statement",
            "REPLACE INTO statement VALUES ('2026-11', x'02')", "INSERT INTO statement VALUES ('2026-12', x'02')",
            "REPLACE INTO ledger (\(names)\(rest)) SELECT 5, hash, hash, kind, attempt, role, session, verifier, client, "
                + "purpose, at, \(rest) FROM ledger WHERE sequence = 4",
        ] {
            let raw = try Connection(path: folder.database, access: .readWrite)
            #expect(throws: StoreError.internal, "\(attack)") { try raw.run(attack) }
            guard FileManager.default.isExecutableFile(atPath: shell) else { continue }
            let said = try await onThread {
                let (process, output) = (Process(), Pipe())
                process.executableURL = URL(fileURLWithPath: shell)
                process.arguments = [folder.database, attack]
                process.standardError = output
                try process.run()
                process.waitUntilExit()
                return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
            #expect(said.contains("the ledger"), "\(attack): \(said)")
        }
        let reader = try LedgerReader(path: folder.database)
        #expect(try await reader.ledgerHead() == 4)
        #expect(try await reader.statement(of: "2026-11") == [1])
        await reader.close()
        await store.close()
    }

    @Test func `whoever takes the guards away and changes a report is found out by the ledger`() async throws {
        let changes = [
            "UPDATE usage_call SET quantity = 2 WHERE sequence = 3",
            "UPDATE usage_call SET class = 8 WHERE sequence = 3",
            "UPDATE usage_call SET state = 0 WHERE sequence = 3",
            "UPDATE usage_call SET outcome = NULL WHERE sequence = 3",
            "UPDATE usage_call SET verifier = 1 WHERE sequence = 3",
            "UPDATE usage_call SET client = 0 WHERE sequence = 3",
            "UPDATE usage_call SET purpose = 77 WHERE sequence = 3",
            "UPDATE usage_call SET role = 2 WHERE sequence = 3",
            "UPDATE usage_call SET submission = 0 WHERE sequence = 3",
            "UPDATE usage_call SET started_at = 1 WHERE sequence = 3",
            "UPDATE usage_call SET ended_at = 1 WHERE sequence = 3",
            "UPDATE usage_call SET by_end = 1 WHERE sequence = 3",
            "UPDATE usage_call SET by_provider = 1 WHERE sequence = 3",
            "UPDATE usage_call SET provider_time = 1, by_provider = 1 WHERE sequence = 3",
            "UPDATE usage_call SET last_sequence = 3 WHERE sequence = 3",
            "UPDATE usage_call SET last_sequence = 2 WHERE sequence = 3",
            "UPDATE usage_call SET state = 2, last_sequence = 4, outcome = NULL WHERE sequence = 3",
            "DELETE FROM usage_call WHERE sequence = 3", "UPDATE usage_name SET name = 'x' WHERE number = 3",
        ]
        for change in changes {
            let folder = try Folder()
            let store = try SQLiteStore(path: folder.database)
            var drafts = [Sample.event(.started, 1), Sample.event(.ended, 1)]
            for kind in [LedgerDraft.Kind.started, .uncertain, .resolved] {
                var draft = Sample.event(kind, 2, outcome: kind == .resolved ? .verified : nil)
                draft.verifier = VerifierID("alpha")
                draft.at = Sample.after(Int64(drafts.count))
                draft.providerTime = kind == .started ? nil : Sample.after(7)
                drafts.append(draft)
            }
            let written = drafts
            try await store.append(written)
            await store.close()
            let raw = try Connection(path: folder.database, access: .readWrite)
            let guards = try raw.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'usage%'") {
                row throws(StoreError) in try row.text(0)
            }
            #expect(guards.count == 6)
            for name in guards { try raw.run("DROP TRIGGER \(name)") }
            let reader = try LedgerReader(path: folder.database)
            #expect(try await reader.firstDisagreement() == nil)
            try raw.run(change)
            #expect(try await reader.firstDisagreement() == 3, "\(change)")
            await reader.close()
        }
    }

    @Test func `a statement that is not the one that was frozen is found, and a call that nobody made`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        var closing = Sample.event(.closed, 9, call: nil)
        closing.month = "2026-11"
        // SHA-256 of nothing at all.
        closing.statement = ByteText.bytes(hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let close = closing
        _ = try await store.close(close, adjustments: [], statement: [], head: 0, monthEnd: Sample.after(1 << 40))
        let reader = try LedgerReader(path: folder.database)
        #expect(try await reader.firstDisagreement() == nil)
        let raw = try Connection(path: folder.database, access: .readWrite)
        try raw.run("DROP TRIGGER statement_is_never_changed")
        try raw.run("UPDATE statement SET bytes = x'00'")
        #expect(try await reader.firstDisagreement() == 1)
        try raw.run("UPDATE statement SET bytes = x''")
        #expect(try await reader.firstDisagreement() == nil)
        try raw.run("DROP TRIGGER usage_call_is_new")
        try raw.run("INSERT INTO usage_call SELECT 1, 1, 0, 1, 2, 0, 1, 0, NULL, 0, 1, 0, NULL, NULL, 0, 0")
        #expect(try await reader.firstDisagreement() == 1)
        await reader.close()
        await store.close()
    }
}
