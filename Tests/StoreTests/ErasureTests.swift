import ConformanceKit
import Foundation
import TestSupport
import Testing
import VerificationCore

@testable import SQLiteStore

/// What is left of an erased session in the files.
@Suite struct ErasureTests {
    private static let marks = ["WRAPPED", "CONTEXT", "INDEX", "RESULT"]

    @Test func `erased bytes are neither in the database nor in its log, when erase returns`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        var record = Sample.session(1)
        // Large enough for pages of its own.
        record.sealedContext = SealedBytes(
            keyID: "k", bytes: Sample.bytes(1, marked: "CONTEXT") + [UInt8](repeating: 9, count: 60_000))
        let big = record
        _ = try await store.create(big, idempotency: nil, ledger: [])
        _ = try await store.claim(
            big.id, at: Sample.after(1), processingDeadline: Sample.after(2), idempotency: nil, ledger: [])
        _ = try await store.conclude(big.id, with: Sample.ending(1), ledger: Sample.pair(1))
        let before = try folder.bytes()
        for mark in Self.marks {
            #expect(before.range(of: Data(Sample.bytes(1, marked: mark))) != nil, "\(mark) is written at all")
        }
        _ = try await store.erase(big.id, at: Sample.after(3))
        let after = try folder.bytes()
        for mark in Self.marks { #expect(after.range(of: Data("\(mark)1.".utf8)) == nil, "\(mark)") }
        #expect(folder.size("sekisho.sqlite-wal") == 0)
        await store.close()
    }

    @Test func `no key survives its session among thousands that come and go`() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        var generator = SplitMix(state: 42)
        var alive: [Int] = []
        var erased: [Int] = []
        for number in 0..<1200 {
            var record = Sample.session(number)
            record.eraseAt = nil
            record.sealedContext = SealedBytes(
                keyID: "k", bytes: [UInt8](repeating: 1, count: Int.random(in: 50...900, using: &generator)))
            let next = record
            _ = try await store.create(next, idempotency: nil, ledger: [])
            alive.append(number)
            if number.isMultiple(of: 2) {
                _ = try await store.claim(
                    next.id, at: Sample.after(1), processingDeadline: Sample.after(2), idempotency: nil, ledger: [])
                _ = try await store.conclude(
                    next.id, with: SessionEnding(kind: .verified, at: Sample.after(2)), ledger: [])
            }
            if alive.count > 200, Bool.random(using: &generator) {
                let victim = alive.remove(at: Int.random(in: 0..<alive.count, using: &generator))
                _ = try await store.erase(SessionID("ses_\(victim)"), at: Sample.after(3))
                erased.append(victim)
            }
        }
        _ = try await store.purge(endedBefore: Sample.after(3))
        let left = try await store.counts().values.reduce(0, +)
        var found = 0
        let bytes = try folder.bytes()
        var place = bytes.startIndex
        while let hit = bytes.range(of: Data("WRAPPED".utf8), in: place..<bytes.endIndex) {
            found += 1
            place = hit.upperBound
        }
        var living = 0
        for number in alive {
            if let record = try? await store.session(SessionID("ses_\(number)")), record.wrappedKey != nil {
                living += 1
            }
        }
        print(
            "erasure: \(erased.count) erased, \(left) sessions left, \(living) keys alive, \(found) keys in the files")
        #expect(erased.count > 300)
        #expect(living > 50)
        #expect(found == living)
        await store.close()
    }

    @Test func `an erasure while somebody reads is durable at once, and leaves the log as soon as they have read`()
        async throws
    {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.database)
        _ = try await store.create(Sample.session(1), idempotency: nil, ledger: [])
        let reader = try Connection(path: folder.database, access: .readOnly)
        try reader.run("BEGIN")
        _ = try reader.query("SELECT count(*) FROM session") { row throws(StoreError) in try row.integer(0) }
        #expect(try await store.erase(SessionID("ses_1"), at: Sample.after(1)).wrappedKey == nil)
        #expect(folder.size("sekisho.sqlite-wal") > 0)
        try reader.run("COMMIT")
        // The writer tries again by itself.
        #expect(try await eventually { folder.size("sekisho.sqlite-wal") == 0 })
        #expect(try folder.bytes().range(of: Data("WRAPPED1.".utf8)) == nil)
        await store.close()
    }
}

/// Repeatable choices.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
