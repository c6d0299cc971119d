import Billing
import JSONTree
import MemoryStore
import MonthKit
import Testing
import Usage
import VerificationCore

/// Each call is billed in one month, whatever becomes of the price book after a month was closed.
@Suite struct CalendarTests {
    private static let alpha = VerifierID("alpha")
    private static let october = BillingMonth("2026-10")!
    private static let november = BillingMonth("2026-11")!
    private static let december = BillingMonth("2026-12")!

    /// A yen for each, so that amounts are quantities; another unit where prices matter.
    private static func book(_ rule: String = "ended", _ zone: String = "Asia/Tokyo", unit: String = "1") throws
        -> PriceBook
    {
        let text = """
            { name: "\(rule) \(zone) \(unit)", verifiers: { alpha: { currency: "JPY", month_by: "\(rule)",
              time_zone: "\(zone)", tariffs: [ { from: "2026-01-01", prices: { completed_any: { unit: "\(unit)" } },
              tax: { rate: "0.10", rounding: "down" } } ] } } }
            """
        return try PriceBook.read(Array(text.utf8))
    }

    private static func event(
        _ kind: LedgerDraft.Kind, _ number: Int, at time: Timestamp, provider: Timestamp? = nil, quantity: Int64 = 1
    ) -> LedgerDraft {
        var draft = Bench.event(kind, number, at: "2026-01-01T00:00:00Z")
        draft.at = time
        draft.providerTime = provider
        draft.quantity = quantity
        return draft
    }

    private static func call(
        _ number: Int, from start: String, to end: String, in store: MemoryStore
    ) async throws {
        try await store.append([
            event(.started, number, at: Bench.time(start)), event(.ended, number, at: Bench.time(end)),
        ])
    }

    private static func close(
        _ month: BillingMonth, _ store: MemoryStore, by book: PriceBook, at now: String = "2027-03-01T00:00:00Z"
    ) async throws(MonthClosing.Refusal) {
        _ = try await MonthClosing(store, book: book).close(
            MonthClosing.Order(
                month: month, now: Bench.time(now), actor: "finance", note: nil, includingUnsettled: true,
                configurationVersion: "v"))
    }

    private static func attempts(_ store: MemoryStore, _ month: BillingMonth, by book: PriceBook) async throws
        -> [String]
    {
        let page = try await UsageReporter(store, book: book).calls(of: month, verifier: nil, after: nil, limit: 100)
        return page.rows.map { $0.last.attempt.rawValue }
    }

    @Test(arguments: [("ended", "started"), ("provider", "started")])
    func `a call that a newer book moves into a closed month is late for it, and in no other`(
        before: String, after: String
    ) async throws {
        let store = MemoryStore()
        // It began in October and ended in November.
        try await Self.call(1, from: "2026-10-31T14:59:59Z", to: "2026-10-31T15:00:01Z", in: store)
        try await Self.call(2, from: "2026-10-20T00:00:00Z", to: "2026-10-20T00:00:01Z", in: store)
        try await Self.close(Self.october, store, by: try Self.book(before))
        let newer = try Self.book(after)
        let usage = try await UsageReporter(store, book: newer).usage(of: Self.november, by: [.verifier])
        #expect(usage.report.rows.isEmpty)
        #expect(usage.late.map(\.month) == [Self.october] && usage.late.map(\.count) == [1])
        // Under the book before, it is November's.
        let older = try await UsageReporter(store, book: try Self.book(before)).usage(
            of: Self.november, by: [.verifier])
        #expect(older.report.totals.map(\.counts.attempts) == [1] && older.late.isEmpty)
        try await Self.close(Self.november, store, by: newer)
        let closed = try await UsageReporter(store, book: newer).usage(of: Self.november, by: [.verifier])
        #expect(closed.report.rows.isEmpty && closed.adjustments.map(\.count) == [1])
        // The first book comes back: what was taken in is not billed once more.
        for book in [newer, try Self.book(before)] {
            let next = try await UsageReporter(store, book: book).usage(of: Self.december, by: [.verifier])
            #expect(next.late.isEmpty && next.adjustments.isEmpty && next.report.rows.isEmpty)
        }
    }

    @Test(arguments: [("started", "Asia/Tokyo", "ended", "Asia/Tokyo"), ("ended", "UTC", "ended", "Asia/Tokyo")])
    func `a call that a newer book moves out of a closed month stays in it, and is in no other`(
        rule: String, zone: String, newRule: String, newZone: String
    ) async throws {
        let store = MemoryStore()
        try await Self.call(1, from: "2026-10-31T14:59:59Z", to: "2026-10-31T15:00:01Z", in: store)
        let (older, newer) = (try Self.book(rule, zone), try Self.book(newRule, newZone))
        try await Self.close(Self.october, store, by: older)
        #expect(
            try await UsageReporter(store, book: newer).report(of: Self.november, by: []).totals.map(\.counts.attempts)
                == [1])
        let usage = try await UsageReporter(store, book: newer).usage(of: Self.november, by: [.verifier])
        #expect(usage.report.rows.isEmpty && usage.late.isEmpty && usage.adjustments.isEmpty)
        #expect(try await Self.attempts(store, Self.october, by: newer) == ["att_1"])
        #expect(try await Self.attempts(store, Self.november, by: newer) == [])
        // Nothing hinders the closing of the next month, and it holds nothing.
        try await Self.close(Self.november, store, by: newer)
        let closed = try await UsageReporter(store, book: newer).usage(of: Self.november, by: [.verifier])
        #expect(closed.report.totals.isEmpty && closed.adjustments.isEmpty)
    }

    @Test func `a zone that begins its months later leaves the hours between to the closed month`() async throws {
        let store = MemoryStore()
        // November in Tokyo, and October in Greenwich.
        try await Self.call(1, from: "2026-10-31T20:00:00Z", to: "2026-10-31T20:00:00Z", in: store)
        try await Self.call(2, from: "2026-11-01T00:00:00Z", to: "2026-11-01T00:00:00Z", in: store)
        try await Self.close(Self.october, store, by: try Self.book("ended", "Asia/Tokyo"))
        let usage = try await UsageReporter(store, book: try Self.book("ended", "UTC")).usage(
            of: Self.november, by: [.verifier])
        #expect(usage.report.totals.map(\.counts.attempts) == [1])
        #expect(usage.late.map(\.month) == [Self.october] && usage.late.map(\.count) == [1])
    }

    @Test func `what is late costs what it cost when the month was closed`() async throws {
        let store = MemoryStore()
        try await store.append([Self.event(.started, 1, at: Bench.time("2026-10-20T00:00:00Z"))])
        try await Self.close(Self.october, store, by: try Self.book("started", unit: "80.5"))
        try await store.append([Self.event(.ended, 1, at: Bench.time("2026-11-20T00:00:00Z"))])
        for unit in ["80.5", "9000"] {
            let newer = try Self.book("started", unit: unit)
            let usage = try await UsageReporter(store, book: newer).usage(of: Self.november, by: [.verifier])
            #expect(usage.late.map(\.amount.description) == ["80.5"])
        }
        try await Self.close(Self.november, store, by: try Self.book("started", unit: "9000"))
        let adjusted = try await store.settlements(after: 0).map(\.draft).filter { $0.kind == .adjusted }
        #expect(adjusted.map(\.amount) == [80_500_000] && adjusted.map(\.month) == ["2026-10"])
    }

    @Test func `a closed month is the same under every later book, to the byte, in every form and grouping`()
        async throws
    {
        let store = MemoryStore()
        for number in 1...9 {
            try await Self.call(
                number, from: "2026-10-0\(number)T00:00:00Z", to: "2026-10-0\(number)T00:00:02Z", in: store)
        }
        let first = try Self.book()
        try await Self.close(Self.october, store, by: first)
        try await Self.call(10, from: "2026-10-31T14:00:00Z", to: "2026-11-02T00:00:00Z", in: store)
        let shapes: [[UsageGrouping]] = [[], [.verifier], [.client, .day], UsageReport.everyGrouping]
        let kept = try await UsageReporter(store, book: first).usage(of: Self.october, byEach: shapes)
        for book in [try Self.book("started", "America/New_York", unit: "7"), .none] {
            let again = try await UsageReporter(store, book: book).usage(of: Self.october, byEach: shapes)
            #expect(again.map { $0.csv() } == kept.map { $0.csv() })
            #expect(again.map(\.json.text) == kept.map(\.json.text))
            #expect(again.map { $0.table() } == kept.map { $0.table() })
        }
    }

    @Test func `the month that shows what is late is the month that a closing would write it into`() async throws {
        let store = MemoryStore()
        let book = try Self.book("provider")
        try await Self.call(1, from: "2026-10-20T00:00:00Z", to: "2026-10-20T00:00:00Z", in: store)
        try await store.append([Self.event(.started, 2, at: Bench.time("2026-10-21T00:00:00Z"))])
        try await Self.close(Self.october, store, by: book)
        try await store.append([Self.event(.ended, 2, at: Bench.time("2026-10-21T00:00:01Z"))])
        // A provider says only now that it happened in August, which nobody had to close.
        let august = try #require(BillingMonth("2026-08"))
        let time = Bench.time("2026-08-20T00:00:00Z")
        try await store.append([
            Self.event(.started, 3, at: Bench.time("2026-11-03T00:00:00Z")),
            Self.event(.ended, 3, at: Bench.time("2026-11-03T00:00:01Z"), provider: time),
        ])
        for month in [august.previous, august, august.next, Self.november, Self.december] {
            let usage = try await UsageReporter(store, book: book).usage(of: month, by: [.verifier])
            #expect(usage.late.count == (month == august ? 1 : 0), "\(month)")
        }
        for month in [august.previous, Self.november] {
            await #expect(throws: MonthClosing.Refusal.previousOpen(august)) {
                try await Self.close(month, store, by: book)
            }
        }
        try await Self.close(august, store, by: book)
        let usage = try await UsageReporter(store, book: book).usage(of: august, by: [.verifier])
        #expect(usage.adjustments.map(\.count) == [1] && usage.report.totals.map(\.counts.attempts) == [1])
        try await Self.close(Self.november, store, by: book)
    }

    /// Books that differ in rule and zone come and go with the months, calls end and are resolved whenever they do.
    @Test(arguments: 0..<12)
    func `whatever books come and go, each call is billed once`(seed: UInt64) async throws {
        var dice = Dice(seed: seed)
        let store = MemoryStore()
        let books = try ["started", "ended", "provider"].flatMap { rule in
            try ["Asia/Tokyo", "UTC", "America/New_York"].map { try Self.book(rule, $0) }
        }
        let hour: Int64 = 3_600_000
        let months = ["2026-09", "2026-10", "2026-11", "2026-12"].compactMap { BillingMonth($0) }
        var waiting: [(number: Int, quantity: Int64)] = []
        var settled: Int64 = 0
        var number = 0
        for month in months {
            let edge = BillingZone.standard.range(of: month).upperBound.milliseconds
            for _ in 0..<60 {
                number += 1
                // Most near the end of the month, where rules and zones disagree.
                let start = edge + Int64(dice.roll(72) - 40) * hour - Int64(dice.roll(3)) * 200 * hour
                let quantity = Int64(1 + dice.roll(1_000_000))
                try await store.append([
                    Self.event(.started, number, at: Timestamp(milliseconds: start), quantity: quantity)
                ])
                let end = Timestamp(milliseconds: start + Int64(dice.roll(20)) * hour)
                let provider =
                    dice.chance(500) ? Timestamp(milliseconds: start + Int64(dice.roll(30) - 15) * hour) : nil
                switch dice.roll(10) {
                case 0: waiting.append((number, quantity))
                case 1:
                    try await store.append([Self.event(.uncertain, number, at: end, quantity: quantity)])
                    waiting.append((number, quantity))
                default:
                    try await store.append([
                        Self.event(.ended, number, at: end, provider: provider, quantity: quantity)
                    ])
                    settled += quantity
                }
            }
            // Some of what waits is told now; `resolved` also stands for the end of what nobody heard of.
            while dice.chance(600), !waiting.isEmpty {
                let call = waiting.remove(at: dice.roll(waiting.count))
                let told = Timestamp(milliseconds: edge + Int64(dice.roll(100)) * hour)
                try await store.append([Self.event(.resolved, call.number, at: told, quantity: call.quantity)])
                settled += call.quantity
            }
            try await Self.close(month, store, by: dice.pick(books))
            let book = dice.pick(books)
            #expect(try await billed(store, by: book) == settled, "after \(month), by \(book.name)")
        }
        #expect(settled > 0 && !waiting.isEmpty)
    }

    /// What all months and corrections come to.
    private func billed(_ store: MemoryStore, by book: PriceBook) async throws -> Int64 {
        let reporter = UsageReporter(store, book: book)
        var sum = ExactAmount.zero
        var showsLate = 0
        var month = BillingMonth("2026-06")!
        while month < BillingMonth("2027-06")! {
            let usage = try await reporter.usage(of: month, by: [.verifier])
            for row in usage.report.totals { sum += row.amounts[.yen] ?? .zero }
            for entry in usage.adjustments + usage.late { sum += entry.amount }
            if !usage.late.isEmpty { showsLate += 1 }
            month = month.next
        }
        #expect(showsLate <= 1)
        return sum.minorUnits(of: .yen, .down)
    }
}
