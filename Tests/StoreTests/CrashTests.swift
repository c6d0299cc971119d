import ConformanceKit
import Foundation
import Ledger
import Testing
import VerificationCore

@testable import SQLiteStore

/// What a killed process leaves behind.
@Suite struct CrashTests {
    static let rounds = 6

    @Test func `Q05 S02 kill -9 at any moment loses nothing acknowledged and lets no nonce be used twice`() async throws
    {
        let folder = try Folder()
        var created: Set<Int> = []
        var claimed: [Int: Int] = [:]
        var concluded: Set<Int> = []
        var suspended: Set<Int> = []
        var taken: [Int: Int] = [:]
        var delivered: Set<Int> = []
        for round in 0..<Self.rounds {
            var fresh: Set<Int> = []
            let crasher = try Crasher(["work", folder.database, String(round)])
            let lines = try await crasher.kill(after: .milliseconds(Int.random(in: 200...600)))
            for line in lines {
                let words = line.split(separator: " ")
                try #require(words.count == 2 && words[0] != "ERROR", "\(line)")
                let number = try #require(Int(words[1]))
                switch words[0] {
                case "C": fresh.insert(number)
                case "K": claimed[number, default: 0] += 1
                case "V": concluded.insert(number)
                case "S": suspended.insert(number)
                case "T": taken[number, default: 0] += 1
                case "D": delivered.insert(number)
                default: Issue.record("\(line)")
                }
            }
            try await check(folder, fresh, Set(claimed.keys), concluded)
            try await checkWaiting(folder, suspended, Set(taken.keys), delivered)
            created.formUnion(fresh)
        }
        // What one round found is still there after the others.
        try await check(folder, Set(created.shuffled().prefix(2000)), Set(claimed.keys), concluded)
        print(
            "kill -9: \(created.count) created, \(claimed.count) claimed, \(concluded.count) concluded were acknowledged"
        )
        #expect(created.count > 100)
        #expect(concluded.count > 20)
        #expect(claimed.values.allSatisfy { $0 == 1 }, "a nonce was claimed twice")
        print("kill -9: \(suspended.count) waits, \(taken.count) messages taken, \(delivered.count) delivered")
        #expect(suspended.count > 10 && taken.count > 20 && delivered.count > 5)
        #expect(taken.values.allSatisfy { $0 == 1 }, "a message was taken twice")
    }

    /// An end and its message are there together; what was delivered is gone, and nothing else is.
    private func checkWaiting(
        _ folder: Folder, _ suspended: Set<Int>, _ taken: Set<Int>, _ delivered: Set<Int>
    ) async throws {
        let store = try SQLiteStore(path: folder.database)
        for number in suspended {
            let record = try await store.session(SessionID("ses_\(number)"))
            #expect(record.status == .verified || record.wait == Sample.suspension(number).wait)
        }
        let open = try await store.openCalls(limit: 10_000)
        await store.close()
        let connection = try Connection(path: folder.database, access: .readOnly)
        let names = { (sql: String) in
            Set(
                try connection.query(sql) { row throws(StoreError) in try row.text(0) }
                    .compactMap { Int($0.dropFirst("ses_".utf8.count)) })
        }
        let ended = try names("SELECT id FROM session WHERE status = 'verified'")
        let waiting = try names("SELECT session FROM outbox WHERE kind = 'session_ended'")
        #expect(waiting.isSubset(of: ended))
        #expect(ended.subtracting(waiting).isSubset(of: taken), "a message that nobody took is gone")
        #expect(waiting.isDisjoint(with: delivered), "a delivered message is still there")
        let started = try names("SELECT session FROM ledger WHERE call IS NOT NULL AND kind = 'started'")
        let finished = try names("SELECT session FROM ledger WHERE call IS NOT NULL AND kind = 'ended'")
        #expect(Set(open.map(\.draft.session.rawValue)) == Set(started.subtracting(finished).map { "ses_\($0)" }))
        #expect(finished.isSubset(of: ended))
    }

    private func check(
        _ folder: Folder, _ created: Set<Int>, _ claimed: Set<Int>, _ concluded: Set<Int>
    ) async throws {
        let store = try SQLiteStore(path: folder.database)
        var missing = 0
        for number in created {
            guard let record = try? await store.session(SessionID("ses_\(number)")) else {
                missing += 1
                continue
            }
            if claimed.contains(number), record.claimedAt == nil { missing += 1 }
            if concluded.contains(number), record.status != .verified { missing += 1 }
        }
        #expect(missing == 0)
        var last: LedgerEvent?
        var paired: [SessionID: Int] = [:]
        while true {
            let events = try await store.ledger(from: (last?.sequence ?? 0) + 1, limit: 1000)
            guard !events.isEmpty else { break }
            #expect(LedgerChain.verify(events, after: last) == nil)
            for event in events { paired[event.draft.session, default: 0] += 1 }
            last = events.last
        }
        // A verdict and its pair of events are there together or not at all; only a call that is out is alone.
        #expect(paired.values.allSatisfy { $0 == 1 || $0 == 2 })
        #expect(paired.values.filter { $0 == 2 }.count == (try await store.counts())[.verified] ?? 0)
        #expect(concluded.allSatisfy { paired[SessionID("ses_\($0)")] == 2 })
        await store.close()
        let connection = try Connection(path: folder.database, access: .readOnly)
        #expect(try connection.query("PRAGMA integrity_check") { row throws(StoreError) in try row.text(0) } == ["ok"])
    }

    @Test func `Q10 a kill at any step of a migration leaves the version before or the version after, whole`()
        async throws
    {
        var died = 0
        for step in 0..<20 {
            let folder = try Folder()
            #expect(FileManager.default.createFile(atPath: folder.database, contents: nil))
            let lines = try await Crasher(["migrate", folder.database, String(step)]).finish()
            if lines.isEmpty { died += 1 } else { #expect(lines == ["DONE 10"]) }
            try whole(folder)
            // The next start finishes what was begun.
            let again = try await Crasher(["migrate", folder.database, "99"]).finish()
            #expect(again.first?.hasPrefix("DONE") == true)
            #expect(try whole(folder) == 3)
        }
        #expect(died == 10)
    }

    @discardableResult
    private func whole(_ folder: Folder) throws -> Int64 {
        let connection = try Connection(path: folder.database, access: .readWrite)
        let version = try connection.first("PRAGMA user_version") { row throws(StoreError) in try row.integer(0) }
        let tables = try connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            row throws(StoreError) in try row.text(0)
        }
        #expect(tables == (version == 0 ? [] : ["a"]))
        guard let version, version > 0 else { return 0 }
        let rows = try connection.query("SELECT x FROM a ORDER BY x") { row throws(StoreError) in try row.integer(0) }
        #expect(rows == (version == 1 ? [1, 2, 3] : [11, 12, 13]))
        return version
    }

    @Test func `a gateway that was killed lets the next one in, and a living one does not`() async throws {
        let folder = try Folder()
        let crasher = try Crasher(["open", folder.database])
        #expect(try await crasher.firstLine() == "OPEN")
        #expect(throws: StoreOpeningError(folder.database, .locked)) { try SQLiteStore(path: folder.database) }
        crasher.kill()
        _ = try await crasher.finish()
        let store = try SQLiteStore(path: folder.database)
        try await store.probe(at: Sample.start)
        await store.close()
    }

    @Test func `Q07 on a full disk nothing is acknowledged that is not there, and room makes the store work again`()
        async throws
    {
        let folder = try Folder()
        let lines = try await Crasher(["full", folder.database]).finish()
        #expect(lines.count == 6)
        #expect(lines.first == "REFUSED unavailable")
        let acknowledged = try #require(lines.dropFirst().first?.split(separator: " ").last.flatMap { Int($0) })
        #expect(acknowledged > 50)
        #expect(
            Array(lines.dropFirst(2)) == [
                "THERE \(acknowledged)", "REFUSED IS notFound", "PROBE unavailable",
                "RECOVERED \(acknowledged + 1)",
            ])
    }
}
