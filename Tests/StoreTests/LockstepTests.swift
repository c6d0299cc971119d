import ConformanceKit
import Foundation
import Ledger
import MemoryStore
import SQLiteStore
import Testing
import VerificationCore

/// The same random operations on both stores: whatever one answers, the other answers too.
@Suite struct LockstepTests {
    /// Operations of one walk.
    private static let steps = 1000

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `two stores under the same operations never differ`(seed: UInt64)
        async throws
    {
        let folder = try Folder()
        let memory = MemoryStore()
        let disk = try SQLiteStore(path: folder.database)
        var walk = Walk(seed: seed)
        var succeeded = 0
        for step in 0..<Self.steps {
            let operation = walk.next()
            let expected = await operation.answer(memory)
            let found = await operation.answer(disk)
            try #require(found == expected, "step \(step) of walk \(seed): \(operation.name)")
            if !expected.hasPrefix("error") { succeeded += 1 }
            if step.isMultiple(of: 50) || step == Self.steps - 1 { try await compare(memory, disk, walk) }
        }
        #expect(succeeded > Self.steps / 2, "most operations do something")
        let events = try await disk.ledger(from: 1, limit: 10_000)
        #expect(LedgerChain.verify(events) == nil)
        #expect(events.count > 60)
        await disk.close()
        let reader = try LedgerReader(path: folder.database)
        #expect(try await reader.firstDisagreement() == nil)
        await reader.close()
    }

    private func compare(_ memory: MemoryStore, _ disk: SQLiteStore, _ walk: Walk) async throws {
        for operation in walk.looks {
            let (expected, found) = (await operation.answer(memory), await operation.answer(disk))
            try #require(found == expected, "\(operation.name)")
        }
    }
}

/// One operation and how its answer reads.
private struct Operation {
    let name: String
    let answer: (any Store) async -> String

    init<Value>(_ name: String, _ body: @escaping (any Store) async throws -> Value) {
        self.name = name
        answer = { store in
            do {
                return "\(try await body(store))"
            } catch {
                return "error \(error)"
            }
        }
    }
}

/// Draws operations over few names, so that they meet.
private struct Walk {
    private static let names = 12
    private var generator: SplitMix
    private var clock: Int64 = 0
    private var drawn = 0

    init(seed: UInt64) { generator = SplitMix(state: seed) }

    private mutating func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func flip() -> Bool { Bool.random(using: &generator) }

    mutating func next() -> Operation {
        drawn += 1
        clock += Int64(draw(0..<80))
        let number = draw(0..<Self.names)
        let id = SessionID("ses_\(number)")
        let now = Sample.after(clock)
        let later = Sample.after(clock + Int64(draw(0..<400)))
        let events = drafts(number)
        switch draw(0..<20) {
        case 0...3:
            let record = session(number)
            let key = flip() ? Sample.idempotency("c\(draw(0..<20))", session: number, body: drawn) : nil
            return Operation("create \(number)") { try await $0.create(record, idempotency: key, ledger: events) }
        case 4...6:
            let key = flip() ? Sample.idempotency("s\(draw(0..<20))", scope: "submission", session: number) : nil
            return Operation("claim \(number)") {
                try await $0.claim(id, at: now, processingDeadline: later, idempotency: key, ledger: events)
            }
        case 7...8:
            var ending = Sample.ending(drawn, [.verified, .rejected, .failed(.internal)][draw(0..<3)])
            ending.at = now
            ending.eraseAt = flip() ? later : nil
            if flip() { ending.answeredBy = VerifierID("beta") }
            if flip() { ending.eraseTicket = Sample.ticket(drawn) }
            if flip() { ending.providerReference = nil }
            let final = ending
            return Operation("conclude \(number)") { try await $0.conclude(id, with: final, ledger: events) }
        case 9...10:
            var suspension = Suspension(
                wait: flip() ? ProviderWait(nextAt: flip() ? later : nil, step: .poll, asked: drawn) : nil)
            if flip() { suspension.providerReference = "ref-\(draw(0..<6))" }
            if flip() { suspension.sealedContext = SealedBytes(keyID: "k\(drawn % 3)", bytes: Sample.bytes(drawn)) }
            if flip() { suspension.eraseTicket = Sample.ticket(drawn) }
            let final = suspension
            return Operation("suspend \(number)") { try await $0.suspend(id, final, ledger: events) }
        case 11: return Operation("cancel \(number)") { try await $0.cancel(id, reason: "r", at: now) }
        case 12: return Operation("erase \(number)") { try await $0.erase(id, at: now) }
        case 13:
            let limit = draw(0..<4)
            return Operation("take waits") { try await $0.takeDueWaits(at: now, lease: later, limit: limit) }
        case 14:
            let limit = draw(0..<4)
            return Operation("take messages") { try await $0.takeDueMessages(at: now, lease: later, limit: limit) }
        case 15:
            let message = OutboxMessage.id(OutboxMessage.Kind.allCases[draw(0..<2)], of: id)
            let settlement: OutboxSettlement = [
                .delivered, .retry(at: later, error: "e\(drawn)"), .dead(at: now, error: "e\(drawn)"),
            ][draw(0..<3)]
            return Operation("settle \(message)") { try await $0.settle(message, settlement) }
        case 16: return Operation("append") { try await $0.append(events) }
        case 17: return sweep(now)
        case 18:
            let notice = "n\(draw(0..<9))"
            return Operation("notice") { try await $0.takeNotice(notice, of: VerifierID("v"), at: now) }
        default:
            let count = ShadowCount(
                day: CivilDate(daysSinceEpoch: 20_000 + Int64(draw(0..<4))), primary: VerifierID("a"),
                shadow: VerifierID("b"), subject: "verdict", outcome: ShadowCount.Outcome.allCases[draw(0..<5)],
                count: draw(0..<5))
            let value: [UInt8]? = flip() ? [UInt8(number)] : nil
            return Operation("counts and settings") {
                try await $0.addShadowCounts([count, count])
                try await $0.replaceSetting("s\(number)", with: value)
            }
        }
    }

    private mutating func sweep(_ now: Timestamp) -> Operation {
        let earlier = Sample.after(clock - Int64(draw(0..<3000)))
        switch draw(0..<5) {
        case 0: return Operation("expire") { try await $0.expire(at: now) }
        case 1: return Operation("erase due") { try await $0.eraseDue(at: now) }
        case 2, 3: return Operation("purge") { try await $0.purge(endedBefore: earlier) }
        default:
            return Operation("fail processing") { store in
                try await store.failProcessing(deadlineBefore: now, endedAt: now, as: .providerTimeout)
                    .sorted { $0.id.rawValue < $1.id.rawValue }
            }
        }
    }

    private mutating func session(_ number: Int) -> SessionRecord {
        var record = Sample.session(number)
        record.createdAt = Sample.after(clock)
        record.expiresAt = Sample.after(clock + Int64(draw(0..<1500)))
        record.nonce = Sample.session(draw(0..<40) == 0 ? number : 1000 + drawn).nonce
        record.notifies = flip()
        record.eraseTicket = flip() ? Sample.ticket(drawn) : nil
        record.providerReference = flip() ? "ref-\(draw(0..<6))" : nil
        record.verifier = VerifierID(flip() ? "beta" : "alpha")
        record.eraseAt = flip() ? Sample.after(clock + Int64(draw(0..<3000))) : nil
        if flip() { record.routing = Routing() }
        return record
    }

    /// Events of few calls, so that they are told twice now and then.
    private mutating func drafts(_ number: Int) -> [LedgerDraft] {
        (0..<[0, 0, 1, 1, 2][draw(0..<5)]).map { _ in
            let kind = LedgerDraft.Kind.allCases[draw(0..<6)]
            let call: CallName? = flip() ? CallName(.poll, number: draw(0..<60)) : nil
            var draft = Sample.event(kind, number, call: call)
            draft.note = flip() ? "n\(drawn)" : nil
            return draft
        }
    }

    /// Everything that can be read.
    var looks: [Operation] {
        var looks: [Operation] = (0..<Self.names).flatMap { number in
            [
                Operation("session \(number)") { try await $0.session(SessionID("ses_\(number)")) },
                Operation("ledger of \(number)") { try await $0.ledger(of: SessionID("ses_\(number)")) },
            ]
        }
        for verifier in ["alpha", "beta"] {
            for reference in (0..<6).map({ "ref-\($0)" }) {
                looks.append(
                    Operation("by reference \(verifier) \(reference)") {
                        try await $0.session(of: VerifierID(verifier), providerReference: reference) as Any
                    })
            }
        }
        return looks + [
            Operation("names") { try await $0.usageNames().names },
            Operation("verifiers") { try await $0.usageVerifiers() },
            Operation("events") { try await $0.ledgerEvents([7, 3, 90000, 5]) },
            Operation("closings") { try await $0.closings() },
            Operation("settlements") { try await $0.settlements(after: 5) },
            Operation("calls") { store in
                var calls: [UsageCall] = []
                for rule in BillingTime.allCases {
                    calls += try await store.usageCalls(
                        of: VerifierID("in-house"), by: rule, in: Sample.start..<Sample.after(1 << 40), changedAfter: 9,
                        after: UsageCursor(time: Sample.after(500), sequence: 20), limit: 9999)
                }
                return calls
            },
            Operation("open calls") { try await $0.openCalls(limit: 1000) },
            Operation("uncertain calls") { try await $0.uncertainCalls(after: 3, limit: 1000) },
            Operation("ledger") { try await $0.ledger(from: 1, limit: 5000) },
            Operation("counts") { try await $0.counts().sorted { $0.key.rawValue < $1.key.rawValue } },
            Operation("incidents") { try await $0.incidents().sorted { $0.key.rawValue < $1.key.rawValue } },
            Operation("keys") { try await $0.sealingKeyNames().sorted() },
            Operation("dead messages") { try await $0.deadMessages(limit: 1000) },
            Operation("outbox") { try await $0.outboxCounts() },
            Operation("pinned") { try await $0.pinned() },
            Operation("sessions") { try await $0.sessions(SessionFilter(), olderThan: nil, limit: 1000) },
            Operation("shadow counts") {
                try await $0.shadowCounts(
                    from: CivilDate(daysSinceEpoch: 20_000), until: CivilDate(daysSinceEpoch: 20_003))
            },
            Operation("settings") { store in
                var values: [String] = []
                for number in 0..<Self.names { values.append("\(try await store.setting("s\(number)") as Any)") }
                return values
            },
        ]
    }
}
