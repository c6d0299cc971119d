import ConformanceKit
import Foundation
import Ledger
import TestSupport
import Testing
import VerificationCore

@testable import SQLiteStore

/// Copies made while the store works.
@Suite struct BackupTests {
    @Test func `Q03 a backup under writes is whole, holds all acknowledged before it, and can be opened`() async throws
    {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        for number in 0..<50 {
            _ = try await store.create(Sample.session(number), idempotency: nil, ledger: Sample.pair(number))
        }
        let writing = Task {
            var number = 50
            while !Task.isCancelled {
                _ = try await store.create(Sample.session(number), idempotency: nil, ledger: Sample.pair(number))
                number += 1
            }
            return number
        }
        func written() async throws -> Int { try await store.counts()[.created] ?? 0 }
        #expect(try await eventually { try await written() > 60 })
        let copy = folder.file("copy.sqlite")
        try await store.backup(to: copy, at: Sample.after(9))
        let then = try await written()
        #expect(try await eventually { try await written() > then })
        writing.cancel()
        let total = try await writing.value
        await #expect(throws: StoreError.alreadyExists) { try await store.backup(to: copy, at: Sample.after(9)) }
        #expect(try await store.counts() == [.created: total], "the store itself is as it was")
        await store.close()

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("copy") }
        #expect(names == ["copy.sqlite"])
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let restored = try SQLiteStore(path: copy)
        let held = try await restored.counts().values.reduce(0, +)
        print("Q03: the copy holds \(held) of \(total)")
        #expect(held >= 50 && held < total)
        let events = try await restored.ledger(from: 1, limit: 10_000)
        #expect(events.count == 2 * held || held > 5000)
        #expect(LedgerChain.verify(events) == nil)
        await restored.close()
    }

    @Test func `a nonce that waited when the backup was made is not spent again after a restore`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        for number in 1...2 { _ = try await store.create(Sample.session(number), idempotency: nil, ledger: []) }
        let claim = { @Sendable (store: SQLiteStore, number: Int) async throws in
            try await store.claim(
                SessionID("ses_\(number)"), at: Sample.after(1), processingDeadline: Sample.after(2),
                idempotency: nil, ledger: [])
        }
        _ = try await claim(store, 2)
        let copy = folder.file("copy.sqlite")
        try await store.backup(to: copy, at: Sample.after(9))
        guard case .claimed = try await claim(store, 1) else {
            Issue.record("the store itself goes on")
            return
        }
        await store.close()
        let restored = try SQLiteStore(path: copy)
        guard case .expired(let first) = try await claim(restored, 1) else {
            Issue.record("a nonce was spent twice")
            return
        }
        #expect(first.endedAt == Sample.after(9))
        let second = try await restored.session(SessionID("ses_2"))
        #expect(second.status == .failed)
        #expect(second.failure == .interrupted)
        await restored.close()
    }

    @Test func `Q03 a restored backup tells no client twice or otherwise, and has every erasure leave`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        for number in 1...4 { _ = try await store.create(Sample.told(number), idempotency: nil, ledger: []) }
        // One has ended and waits to be told, one is given up, one waits for its provider, one for its submission.
        for number in 1...2 {
            _ = try await store.cancel(SessionID("ses_\(number)"), reason: nil, at: Sample.after(1))
            _ = try await store.erase(SessionID("ses_\(number)"), at: Sample.after(2))
        }
        try await store.settle("msg_2_session_ended", .dead(at: Sample.after(3), error: "status_410"))
        _ = try await store.claim(
            SessionID("ses_3"), at: Sample.after(1), processingDeadline: Sample.after(2), idempotency: nil,
            ledger: [Sample.event(.started, 3)])
        _ = try await store.suspend(SessionID("ses_3"), Sample.suspension(3), ledger: [])
        _ = try await store.takeNotice("n", of: VerifierID("v"), at: Sample.after(1))
        let copy = folder.file("copy.sqlite")
        try await store.backup(to: copy, at: Sample.after(9))
        #expect(try await store.outboxCounts() == OutboxCounts(waiting: 3, dead: 1), "the store itself goes on")
        #expect(try await store.session(SessionID("ses_3")).wait == Sample.suspension(3).wait)
        await store.close()

        let restored = try SQLiteStore(path: copy)
        let third = try await restored.session(SessionID("ses_3"))
        #expect(third.status == .failed && third.wait == nil)
        let messages = try await restored.takeDueMessages(
            at: Sample.after(1 << 40), lease: Sample.after(1 << 41), limit: 99)
        #expect(messages.map(\.id) == ["msg_1_provider_erasure", "msg_2_provider_erasure"])
        #expect(messages.map(\.ticket) == [Sample.ticket(1), Sample.ticket(2)])
        let dead = try await restored.deadMessages(limit: 99)
        #expect(
            Dictionary(uniqueKeysWithValues: dead.map { ($0.session.rawValue, $0.lastError) }) == [
                "ses_1": "restored", "ses_2": "status_410", "ses_3": "restored", "ses_4": "restored",
            ])
        // The call that was out is still to be cleared up, and a notice that was taken is taken.
        #expect(try await restored.openCalls(limit: 9).map(\.draft.session.rawValue) == ["ses_3"])
        #expect(try await !restored.takeNotice("n", of: VerifierID("v"), at: Sample.after(20)))
        #expect(
            try await restored.takeDueWaits(at: Sample.after(1 << 40), lease: Sample.after(1 << 41), limit: 9).isEmpty)
        await restored.close()
    }

    @Test func `a backup that cannot be written leaves nothing behind`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        await #expect(throws: StoreError.unavailable) {
            try await store.backup(to: folder.file("none/copy"), at: Sample.start)
        }
        let memory = try SQLiteStore(path: ":memory:")
        await #expect(throws: StoreError.conflict) {
            try await memory.backup(to: folder.file("copy"), at: Sample.start)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasPrefix("sekisho") })
        await memory.close()
        await store.close()
    }
}
