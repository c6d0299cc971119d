import CSQLite
import Foundation
import SQLiteStore
import Testing
import VerificationCore

@testable import sekisho

@Suite struct AuditTests {
    private static func filled(_ desk: Desk) async throws -> String {
        let path = desk.path("audit.sqlite3")
        let store = try SQLiteStore(path: path)
        for number in 1...5 {
            var draft = AuditDraft(
                .circuitSet, by: "operations", at: Timestamp(seconds: Int64(number)), configurationVersion: "v1")
            draft.subject = "alpha"
            try await store.appendAudit([draft])
        }
        await store.close()
        return path
    }

    @Test func `a chain that holds is proven, by its database and by the configuration that names it`() async throws {
        let desk = try Desk()
        let path = try await Self.filled(desk)
        #expect(await AuditCommand.run(["verify", path]) == 0)
        #expect(await AuditCommand.run(["verify", desk.path("nothing")]) == 2)
        #expect(await AuditCommand.run(["prove", path]) == 64)
        #expect(await AuditCommand.run([]) == 64)
    }

    @Test func `the database refuses to change an event, and one that was changed below it is found`() async throws {
        let desk = try Desk()
        let path = try await Self.filled(desk)
        var connection: OpaquePointer?
        #expect(sqlite3_open(path, &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        for change in [
            "UPDATE audit SET actor = 'nobody' WHERE sequence = 3", "DELETE FROM audit WHERE sequence = 3",
            "INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE sequence = 3", "DELETE FROM audit",
        ] {
            #expect(sqlite3_exec(connection, change, nil, nil, nil) == SQLITE_CONSTRAINT, "\(change)")
        }
        #expect(await AuditCommand.run(["verify", path]) == 0)
        // Whoever owns the file can take the guards away; the hashes tell.
        #expect(sqlite3_exec(connection, "DROP TRIGGER audit_is_never_changed", nil, nil, nil) == SQLITE_OK)
        #expect(
            sqlite3_exec(connection, "UPDATE audit SET actor = 'nobody' WHERE sequence = 3", nil, nil, nil) == SQLITE_OK
        )
        #expect(await AuditCommand.run(["verify", path]) == 1)
    }

    @Test func `a word that no event has breaks a chain where it stands, and is no file that cannot be read`()
        async throws
    {
        let desk = try Desk()
        let path = try await Self.filled(desk)
        let store = try SQLiteStore(path: path)
        for number in 1...5 {
            var draft = LedgerDraft(
                kind: .started, attempt: AttemptID("a\(number)"), role: .primary, session: SessionID("s"),
                verifier: VerifierID("v"), client: ClientID("c"), purpose: PurposeID("p"),
                at: Timestamp(seconds: Int64(number)), billableClass: .completedAny, configurationVersion: "v1")
            draft.call = CallName(.submit)
            try await store.append([draft])
        }
        await store.close()
        #expect(await LedgerCommand.run(["verify", path]) == 0)
        var connection: OpaquePointer?
        #expect(sqlite3_open(path, &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        func change(_ table: String, _ column: String, to word: String) {
            let sql =
                "DROP TRIGGER IF EXISTS \(table)_is_never_changed;"
                + "UPDATE \(table) SET \(column) = '\(word)' WHERE sequence = 4"
            #expect(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        }
        for (column, right) in [("kind", "started"), ("role", "primary"), ("billable_class", "completed_any")] {
            change("ledger", column, to: right + "x")
            let proof = try await proof(of: path, ledger: true)
            #expect(proof == 4, "\(column)")
            #expect(await LedgerCommand.run(["verify", path]) == 1)
            change("ledger", column, to: right)
        }
        #expect(await LedgerCommand.run(["verify", path]) == 0)
        change("audit", "action", to: "circuit_sex")
        #expect(try await proof(of: path, ledger: false) == 4)
        #expect(await AuditCommand.run(["verify", path]) == 1)
    }

    /// The event that a chain breaks at, if it does.
    private func proof(of path: String, ledger: Bool) async throws -> Int64? {
        let reader = try LedgerReader(path: path)
        defer { Task { await reader.close() } }
        if ledger {
            let proof = try await ChainProof<LedgerEvent> { from, limit throws(StoreError) in
                try await reader.ledger(from: from, limit: limit)
            }
            if case .breaks(let event) = proof { return event }
            return nil
        }
        let proof = try await ChainProof<AuditEvent> { from, limit throws(StoreError) in
            try await reader.audit(from: from, limit: limit)
        }
        if case .breaks(let event) = proof { return event }
        return nil
    }
}
