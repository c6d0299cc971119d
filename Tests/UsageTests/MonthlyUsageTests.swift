import Billing
import JSONTree
import MemoryStore
import Testing
import Usage
import VerificationCore

/// Months as finance sees them, at their edges and after they are closed.
@Suite struct MonthlyUsageTests {
    static let book = """
        {name: "first", verifiers: {alpha: {currency: "JPY", tariffs: [
          {from: "2026-01-01", prices: {completed_pass: {kind: "graduated", steps: [{up_to: 2, unit: "100"}, {unit: "10.5"}]}},
           tax: {rate: "0.10", rounding: "down"}}]}}}
        """

    static func event(
        _ kind: LedgerDraft.Kind, _ number: Int, at time: String, outcome: AttemptOutcome? = nil
    ) throws -> LedgerDraft {
        var draft = LedgerDraft(
            kind: kind, attempt: AttemptID("a\(number)"), role: .primary, session: SessionID("s\(number)"),
            verifier: VerifierID("alpha"), client: ClientID(number % 2 == 0 ? "even" : "odd"),
            purpose: PurposeID("kyc"), at: try #require(RFC3339.timestamp(time)), billableClass: .completedPass,
            outcome: outcome, configurationVersion: "v")
        draft.call = CallName(.submit)
        return draft
    }

    static func call(_ number: Int, at time: String, in store: MemoryStore) async throws {
        try await store.append([
            try event(.started, number, at: time), try event(.ended, number, at: time, outcome: .verified),
        ])
    }

    private func reporter(_ store: MemoryStore, book: String = book) throws -> UsageReporter {
        UsageReporter(store, book: try PriceBook.read(Array(book.utf8)))
    }

    private func close(_ month: String, _ store: MemoryStore, unsettled: Bool = false) async throws {
        _ = try await MonthClosing(store, book: try PriceBook.read(Array(Self.book.utf8))).close(
            MonthClosing.Order(
                month: try #require(BillingMonth(month)), now: try #require(RFC3339.timestamp("2027-03-01T00:00:00Z")),
                actor: "finance", note: nil, includingUnsettled: unsettled, configurationVersion: "v"))
    }

    @Test func `U01 a month is the zone's from its first instant to just before the next, in every form`() async throws
    {
        let store = MemoryStore()
        let times = [
            "2026-11-30T23:59:59.999+09:00", "2026-12-01T00:00:00+09:00", "2026-12-01T08:59:00+09:00",
            "2026-12-01T09:00:00+09:00", "2026-12-31T23:59:59.999+09:00", "2027-01-01T00:00:00+09:00",
        ]
        for (number, time) in times.enumerated() { try await Self.call(number, at: time, in: store) }
        for (month, count) in [("2026-11", 1), ("2026-12", 4), ("2027-01", 1), ("2026-10", 0)] {
            let usage = try await reporter(store).usage(
                of: try #require(BillingMonth(month)), by: UsageReport.everyGrouping)
            #expect(usage.report.rows.reduce(0) { $0 + $1.counts.attempts } == Int64(count), "\(month)")
            #expect(usage.report.rows.allSatisfy { $0.key[3].hasPrefix(month) })
            let calls = try await reporter(store).calls(
                of: try #require(BillingMonth(month)), verifier: nil, after: nil, limit: 100)
            #expect(calls.rows.count == count && calls.next == nil)
        }
    }

    @Test func `U05 a call that was told twice to a provider is one attempt, and billed as the contract says`()
        async throws
    {
        let store = MemoryStore()
        try await Self.call(1, at: "2026-11-02T00:00:00Z", in: store)
        var poll = try Self.event(.started, 1, at: "2026-11-02T00:00:01Z")
        poll.call = CallName(.poll, number: 1)
        var polled = try Self.event(.ended, 1, at: "2026-11-02T00:00:02Z", outcome: .verified)
        polled.call = CallName(.poll, number: 1)
        try await store.append([poll, polled])
        let usage = try await reporter(store).usage(of: try #require(BillingMonth("2026-11")), by: [.verifier])
        let row = try #require(usage.report.rows.first)
        #expect(row.counts.attempts == 1 && row.counts.verified == 1 && row.counts.billable == 2)
    }

    @Test func `a closed month stays what it was under another book and after late calls, in every grouping`()
        async throws
    {
        let store = MemoryStore()
        for number in 1...5 { try await Self.call(number, at: "2026-11-0\(number)T00:00:00Z", in: store) }
        try await store.append([try Self.event(.started, 9, at: "2026-11-20T00:00:00Z")])
        let month = try #require(BillingMonth("2026-11"))
        let shapes: [[UsageGrouping]] = [
            [], [.verifier], [.client], [.purpose, .client], [.day], UsageReport.everyGrouping,
        ]
        var before: [[UInt8]] = []
        for shape in shapes { before.append(try await reporter(store).usage(of: month, by: shape).report.csv()) }
        await #expect(throws: MonthClosing.Refusal.self) { try await close("2026-11", store) }
        try await close("2026-11", store, unsettled: true)
        try await store.append([try Self.event(.ended, 9, at: "2026-11-20T00:00:01Z", outcome: .verified)])
        let dearer = Self.book.replacing("\"100\"", with: "\"9000\"")
        for (place, shape) in shapes.enumerated() {
            let usage = try await reporter(store, book: dearer).usage(of: month, by: shape)
            #expect(usage.closing?.unsettled == 1)
            let (kept, was) = (Self.withoutLatencies(usage.report.csv()), Self.withoutLatencies(before[place]))
            #expect(kept == was, "\(shape)")
        }
        // The late one is priced after the month's last position, and uses up none of the next month's.
        let next = try await reporter(store).usage(of: month.next, by: [.verifier])
        #expect(next.late.map(\.amount.description) == ["10.5"] && next.late.first?.month == month)
        #expect(next.report.rows.isEmpty)
        try await close("2026-12", store)
        let closed = try await reporter(store).usage(of: month.next, by: [.verifier])
        #expect(closed.late.isEmpty && closed.adjustments.map(\.amount.description) == ["10.5"])
        let after = try await reporter(store).usage(of: month.next.next, by: [.verifier])
        #expect(after.late.isEmpty && after.adjustments.isEmpty)
    }

    @Test func `a closed month whose statement cannot be read is never made up for`() async throws {
        let store = MemoryStore()
        var closing = try Self.event(.closed, 1, at: "2026-12-02T00:00:00Z")
        closing.month = "2026-11"
        closing.call = nil
        closing.statement = [UInt8](repeating: 1, count: 32)
        _ = try await store.close(closing, adjustments: [], statement: Array("{}".utf8), head: 0, monthEnd: closing.at)
        await #expect(throws: StoreError.corrupt) {
            try await reporter(store).usage(of: try #require(BillingMonth("2026-11")), by: [.verifier])
        }
    }

    /// The file without its last two columns: percentiles are frozen by verifier alone.
    private static func withoutLatencies(_ csv: [UInt8]) -> [String] {
        String(decoding: csv, as: UTF8.self).split(separator: "\r\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).dropLast(2).joined(separator: ",")
        }
    }
}
