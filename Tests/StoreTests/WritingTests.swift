import ConformanceKit
import Foundation
import Ledger
import Synchronization
import TestSupport
import Testing
import VerificationCore

@testable import SQLiteStore

/// The one writer: its queue, its groups, its log.
@Suite struct WritingTests {
    @Test func `of a group of writes one failure does not undo the others`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let outcomes = await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<600 {
                group.addTask {
                    do throws(StoreError) {
                        // Of each three, two have the same identifier.
                        _ = try await store.create(
                            Sample.session(number / 3 * 3 + (number % 3) / 2), idempotency: nil,
                            ledger: Sample.pair(number))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == nil }.count == 400)
        #expect(outcomes.filter { $0 == .alreadyExists }.count == 200)
        let events = try await store.ledger(from: 1, limit: 2000)
        #expect(events.count == 800)
        #expect(LedgerChain.verify(events) == nil)
        await store.close()
    }

    @Test func `Q01 50 writers, a slow reader and another process's lock give no busy error and lose no event`()
        async throws
    {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        // A reader with an open transaction, all the while.
        let reader = try Connection(path: folder.database, access: .readOnly)
        try reader.run("BEGIN")
        _ = try reader.query("SELECT count(*) FROM session") { row throws(StoreError) in try row.integer(0) }
        let blocker = Task {
            try await onThread {
                let other = try Connection(path: folder.database, access: .readWrite)
                for _ in 0..<5 {
                    try other.run("BEGIN IMMEDIATE")
                    usleep(150_000)
                    try other.run("COMMIT")
                    usleep(20_000)
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<50 {
                group.addTask {
                    for step in 0..<10 {
                        let number = writer * 10 + step
                        _ = try await store.create(
                            Sample.session(number), idempotency: nil, ledger: Sample.pair(number))
                        _ = try await store.session(SessionID("ses_\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await blocker.value
        #expect(try await store.ledger(from: 1, limit: 2000).count == 1000)
        try reader.run("COMMIT")
        await store.close()
    }

    @Test func `a full queue refuses at once, and what it took is written`() async throws {
        let folder = try Folder()
        var options = SQLiteStore.Options()
        options.queueLimit = 8
        let store = try SQLiteStore(path: folder.database, options: options)
        let other = try Connection(path: folder.database, access: .readWrite)
        try other.run("BEGIN IMMEDIATE")
        let refused = Counter()
        let tasks = (0..<300).map { number in
            Task {
                do throws(StoreError) {
                    _ = try await store.create(Sample.session(number), idempotency: nil, ledger: [])
                    return true
                } catch {
                    #expect(error == .unavailable)
                    refused.increase()
                    return false
                }
            }
        }
        // Long enough for the refusals, and well under the time after which the writer itself gives up.
        #expect(try await eventually(within: 4) { refused.value >= 100 })
        try other.run("COMMIT")
        var written = 0
        for task in tasks where await task.value { written += 1 }
        #expect(written >= 8 && written <= 200)
        #expect(try await store.counts() == [.created: written])
        await store.close()
    }

    @Test func `Q02 the log stays small while a report is read for long under load`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let report = Task {
            var read = 0
            while !Task.isCancelled {
                var from: Int64 = 1
                while case let events = try await store.ledger(from: from, limit: 100), let last = events.last {
                    from = last.sequence + 1
                    read += events.count
                }
            }
            return read
        }
        var largest = 0
        for round in 0..<30 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for step in 0..<100 {
                    group.addTask {
                        let number = round * 100 + step
                        var record = Sample.session(number)
                        record.sealedContext = SealedBytes(keyID: "k", bytes: [UInt8](repeating: 7, count: 8000))
                        let big = record
                        _ = try await store.create(big, idempotency: nil, ledger: Sample.pair(number))
                    }
                }
                try await group.waitForAll()
            }
            largest = max(largest, folder.size("sekisho.sqlite-wal"))
        }
        report.cancel()
        #expect(try await report.value > 0)
        #expect(folder.size("sekisho.sqlite") > 20 << 20)
        print(
            "Q02: the log grew to \(largest >> 10) KiB under a database of \(folder.size("sekisho.sqlite") >> 10) KiB")
        #expect(largest < 16 << 20)
        await store.close()
        #expect(folder.size("sekisho.sqlite-wal") == 0)
    }

    @Test func `what changes nothing writes nothing`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        let key = Sample.idempotency("k", session: 1)
        _ = try await store.create(Sample.session(1), idempotency: key, ledger: Sample.pair(1))
        let claim = { () async throws in
            try await store.claim(
                SessionID("ses_1"), at: Sample.after(1), processingDeadline: Sample.after(2), idempotency: nil,
                ledger: Sample.pair(1))
        }
        _ = try await claim()
        let before = folder.size("sekisho.sqlite-wal")
        #expect(before > 0)
        _ = try await store.create(Sample.session(1), idempotency: key, ledger: Sample.pair(1))
        _ = try await claim()
        #expect(try await store.expire(at: Sample.after(1 << 40)) == 0)
        _ = try await store.failProcessing(deadlineBefore: Sample.start, endedAt: Sample.start, as: .interrupted)
        await #expect(throws: StoreError.conflict) {
            try await store.cancel(SessionID("ses_1"), reason: nil, at: Sample.start)
        }
        await #expect(throws: StoreError.alreadyExists) {
            try await store.create(Sample.session(1), idempotency: nil, ledger: Sample.pair(1))
        }
        #expect(folder.size("sekisho.sqlite-wal") == before)
        try await store.probe(at: Sample.start)
        #expect(folder.size("sekisho.sqlite-wal") > before)
        await store.close()
    }

    @Test func `Q07 a database at its bound refuses, keeps what it acknowledged, and erasing makes room`() async throws
    {
        let folder = try Folder()
        var options = SQLiteStore.Options()
        options.maximumPages = 120
        let store = try SQLiteStore(path: folder.database, options: options)
        var written = 0
        var refusal: StoreError?
        while refusal == nil, written < 10_000 {
            do throws(StoreError) {
                var record = Sample.session(written)
                record.sealedContext = SealedBytes(keyID: "k", bytes: [UInt8](repeating: 7, count: 3000))
                let big = record
                _ = try await store.create(big, idempotency: nil, ledger: Sample.pair(written))
                written += 1
            } catch {
                refusal = error
            }
        }
        #expect(refusal == .unavailable)
        #expect(written > 10)
        #expect(try await store.counts() == [.created: written])
        #expect(try await store.ledger(from: 1, limit: 1000).count == 2 * written)
        await #expect(throws: StoreError.notFound) { try await store.session(SessionID("ses_\(written)")) }
        for number in 0..<10 { _ = try await store.erase(SessionID("ses_\(number)"), at: Sample.after(1)) }
        _ = try await store.create(Sample.session(20_000), idempotency: nil, ledger: Sample.pair(1))
        #expect(LedgerChain.verify(try await store.ledger(from: 1, limit: 1000)) == nil)
        await store.close()
    }
}

/// Counts from several tasks.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increase() { count.withLock { $0 += 1 } }
}
