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
}
