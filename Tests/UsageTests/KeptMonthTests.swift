import Billing
import JSONTree
import MemoryStore
import Synchronization
import Testing
import Usage
import VerificationCore

/// A month that is kept is the month that would be read.
@Suite struct KeptMonthTests {
    private static let shapes: [[UsageGrouping]] = [[.verifier], [.verifier, .day]]

    /// A store that counts the calls that are read of it.
    private final class Counted: UsageStore {
        let inner = MemoryStore()
        private let rows = Mutex(0)

        /// Calls read since the last time that somebody asked.
        func taken() -> Int {
            rows.withLock { count in
                defer { count = 0 }
                return count
            }
        }

        func usageNames() async throws(StoreError) -> UsageNames { try await inner.usageNames() }
        func usageVerifiers() async throws(StoreError) -> [VerifierID] { try await inner.usageVerifiers() }
        func usageCalls(
            of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
            after cursor: UsageCursor?, limit: Int
        ) async throws(StoreError) -> [UsageCall] {
            let calls = try await inner.usageCalls(
                of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor, limit: limit)
            rows.withLock { $0 += calls.count }
            return calls
        }
        func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent] {
            try await inner.ledgerEvents(sequences)
        }
        func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent] {
            try await inner.settlements(after: sequence)
        }
        func closings() async throws(StoreError) -> [LedgerEvent] { try await inner.closings() }
        func statement(of month: String) async throws(StoreError) -> [UInt8]? {
            try await inner.statement(of: month)
        }
        func ledgerHead() async throws(StoreError) -> Int64 { try await inner.ledgerHead() }
        func close(
            _ closing: LedgerDraft, adjustments: [LedgerDraft], statement: [UInt8], head: Int64, monthEnd: Timestamp
        ) async throws(StoreError) -> LedgerEvent {
            try await inner.close(
                closing, adjustments: adjustments, statement: statement, head: head, monthEnd: monthEnd)
        }
        func isUntouched(after head: Int64, before end: Timestamp) async throws(StoreError) -> Bool {
            try await inner.isUntouched(after: head, before: end)
        }
        func append(_ events: [LedgerDraft], unlessSettledAfter head: Int64) async throws(StoreError) {
            try await inner.append(events, unlessSettledAfter: head)
        }
    }

    /// Three verifiers with months by each of the rules, in three zones, with steps that the order of calls decides.
    private static func book(_ unit: String = "100", moved: Bool = false) throws -> PriceBook {
        let zones = moved ? ["UTC", "America/New_York", "Asia/Tokyo"] : ["Asia/Tokyo", "UTC", "America/New_York"]
        let rules = moved ? ["ended", "started", "provider"] : ["started", "ended", "provider"]
        let verifiers = zip(["alpha", "beta", "gamma"], zip(rules, zones)).map { ($0, $1.0, $1.1) }
            .map { name, rule, zone in
                """
                \(name): {currency: "JPY", month_by: "\(rule)", time_zone: "\(zone)", tariffs: [{from: "2026-01-01",
                  prices: {completed_any: {kind: "graduated", steps: [{up_to: 7, unit: "\(unit)"}, {unit: "10.5"}]}},
                  flat_fee: "500", tax: {rate: "0.10", rounding: "down"}}]}
                """
            }
        return try PriceBook.read(Array("{name: \"kept\", verifiers: {\(verifiers.joined(separator: ","))}}".utf8))
    }

    private static func text(_ usages: [MonthlyUsage]) -> [String] {
        usages.map { String(decoding: $0.json.encoded(), as: UTF8.self) }
    }

    /// What it is when nothing is kept.
    private static func fresh(_ store: Counted, _ book: PriceBook, _ month: BillingMonth) async throws -> [String] {
        var usages: [MonthlyUsage] = []
        for shape in shapes {
            usages.append(try await UsageReporter(store.inner, book: book).usage(of: month, by: shape))
        }
        return text(usages)
    }

    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// Calls that begin, end, stay open, become uncertain, are resolved and corrected, while months end and are closed.
    private struct Traffic {
        var random: Random
        var now = Bench.time("2026-10-28T00:00:00Z")
        var number = 0
        var open: [LedgerDraft] = []
        var uncertain: [LedgerDraft] = []

        mutating func started() -> LedgerDraft {
            number += 1
            let verifier = ["alpha", "beta", "gamma"][Int.random(in: 0..<3, using: &random)]
            var draft = LedgerDraft(
                kind: .started, attempt: AttemptID("a\(number)"), role: number % 5 == 0 ? .fallback : .primary,
                session: SessionID("s\(number)"), verifier: VerifierID(verifier),
                // Now and then a client that was never seen before.
                client: ClientID("client-\(number % 97 == 0 ? number : 0)"), purpose: PurposeID("kyc"), at: now,
                billableClass: .completedAny, configurationVersion: "v")
            draft.call = CallName(.submit)
            open.append(draft)
            return draft
        }

        mutating func ended(_ kind: LedgerDraft.Kind) -> LedgerDraft? {
            guard !open.isEmpty else { return nil }
            var draft = open.remove(at: Int.random(in: 0..<open.count, using: &random))
            draft.kind = kind
            draft.at = now
            if kind == .ended { draft.outcome = AttemptOutcome.allCases[number % 3] }
            // A provider's clock may say another day.
            if number % 4 == 0 {
                draft.providerTime = now.advanced(by: .seconds(-Int.random(in: 0..<200_000, using: &random)))
            }
            if kind == .uncertain { uncertain.append(draft) }
            return draft
        }

        mutating func resolved() -> LedgerDraft? {
            guard var draft = uncertain.popLast() else { return nil }
            draft.kind = .resolved
            draft.at = now
            draft.outcome = .verified
            return draft
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `whatever happens, what is kept is what would be read, and mostly nothing is read for it`(seed: UInt64)
        async throws
    {
        let store = Counted()
        var traffic = Traffic(random: Random(state: seed))
        var book = try Self.book()
        var kept: [BillingMonth: KeptMonth] = [:]
        var (looks, read) = (0, 0)
        for step in 0..<140 {
            traffic.now = traffic.now.advanced(by: .seconds(Int.random(in: 1..<40_000, using: &traffic.random)))
            var drafts: [LedgerDraft] = []
            switch Int.random(in: 0..<20, using: &traffic.random) {
            case 0..<9: drafts = [traffic.started()]
            case 9..<16: drafts = [traffic.ended(.ended)].compactMap { $0 }
            case 16: drafts = [traffic.ended(.uncertain)].compactMap { $0 }
            case 17: drafts = [traffic.resolved()].compactMap { $0 }
            case 18:
                var draft = traffic.started()
                traffic.open.removeLast()
                draft.kind = .adjusted
                draft.call = nil
                (draft.month, draft.amount, draft.currency, draft.actor) = ("2026-10", 1_000_000, "JPY", "finance")
                drafts = [draft]
            default: book = try Self.book("\(100 + step % 2)", moved: step % 3 == 0)
            }
            try await store.inner.append(drafts)
            let month = BillingZone.standard.month(of: traffic.now)
            if step % 40 == 39 {
                _ = try? await MonthClosing(store, book: book).close(
                    MonthClosing.Order(
                        month: month.previous, now: traffic.now, actor: "finance", note: nil, includingUnsettled: true,
                        configurationVersion: "v"))
            }
            for month in [month, month.previous, month.previous.previous] {
                let expected = try await Self.fresh(store, book, month)
                _ = store.taken()
                let reporter = UsageReporter(store, book: book)
                let found = try await reporter.usages(
                    of: month, by: Self.shapes, from: kept[month], in: store, at: traffic.now)
                #expect(Self.text(found.usages) == expected, "seed \(seed), step \(step), \(month)")
                looks += 1
                read += store.taken() == 0 ? 0 : 1
                kept[month] = found
            }
        }
        #expect(read < looks * 2 / 3, "\(read) of \(looks) looks read calls")
    }

    @Test func `only what is new is read, and nothing where nothing is`() async throws {
        let store = Counted()
        let book = try Self.book()
        var traffic = Traffic(random: Random(state: 9))
        traffic.now = Bench.time("2026-11-10T00:00:00Z")
        for _ in 0..<100 {
            traffic.now = traffic.now.advanced(by: .seconds(600))
            try await store.inner.append([traffic.started()])
            traffic.now = traffic.now.advanced(by: .seconds(1))
            try await store.inner.append([traffic.ended(.ended)].compactMap { $0 })
        }
        let reporter = UsageReporter(store, book: book)
        let month = Bench.november
        func look(_ kept: KeptMonth?) async throws -> KeptMonth {
            _ = store.taken()
            return try await reporter.usages(of: month, by: Self.shapes, from: kept, in: store, at: traffic.now)
        }
        let first = try await look(nil)
        // For two shapes each call is read once, beside the one that says whether there are any.
        #expect((100..<110).contains(store.taken()))
        let second = try await look(first)
        #expect(store.taken() == 0)
        traffic.now = traffic.now.advanced(by: .seconds(60))
        try await store.inner.append([traffic.started()])
        let third = try await look(second)
        let tail = store.taken()
        #expect((1..<20).contains(tail), "\(tail)")
        #expect(third.usages[0].report.totals.reduce(0) { $0 + $1.counts.attempts } == 101)
        // After the month nothing of it is read again while only others' calls come.
        traffic.now = Bench.time("2026-12-05T00:00:00Z")
        traffic.open = []
        try await store.inner.append([traffic.started()])
        let closable = try await look(third)
        _ = store.taken()
        try await store.inner.append([traffic.started()])
        _ = try await look(closable)
        #expect(store.taken() == 0)
        // Another price, another reading.
        let dearer = try Self.book("999")
        #expect(!closable.isOf(month, Self.shapes, dearer) && closable.isOf(month, Self.shapes, book))
        #expect(!closable.isOf(month.next, Self.shapes, book) && !closable.isOf(month, [[.verifier]], book))
    }
}
