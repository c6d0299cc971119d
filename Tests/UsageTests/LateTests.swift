import Billing
import JSONTree
import MemoryStore
import Testing
import Usage
import VerificationCore

/// What comes after its month was closed.
@Suite struct LateTests {
    private let november = Bench.november
    private let december = Bench.december

    private func adjustments(_ bench: Bench) async throws -> [LedgerDraft] {
        try await bench.store.settlements(after: 0).map(\.draft).filter { $0.kind == .adjusted }
    }

    private func resolve(_ bench: Bench, _ number: Int, at time: String) async throws {
        let resolved = Bench.event(.resolved, number, at: time)
        try await bench.store.append([resolved])
    }

    @Test(arguments: ["started", "ended", "provider"])
    func `an answer found after the closing is an adjustment of its own month and no call of the next`(rule: String)
        async throws
    {
        let bench = try Bench(monthBy: rule)
        for number in 0..<9 { try await bench.call(number, at: "2026-11-10T00:00:00Z") }
        for number in 9..<12 { try await bench.call(number, at: "2026-11-30T14:59:58Z", ends: .uncertain) }
        _ = try await bench.close(november, includingUnsettled: true)
        for number in 20..<30 { try await bench.call(number, at: "2026-12-10T00:00:00Z") }
        for number in 9..<12 { try await resolve(bench, number, at: "2026-12-05T00:00:00Z") }
        // Ten of December cost 100 each: none of its positions is used up.
        let open = try await bench.report(of: december)
        #expect(open.sums.first?.net == 1000)
        #expect(open.totals.first?.counts.attempts == 10)
        let late = try await UsageReporter(bench.store, book: bench.book).lateCalls(of: november)
        // The tenth of November costs 100, and those after it 10.
        #expect(late.map { $0.amount?.description } == ["100", "10", "10"])
        let closed = try await bench.close(december)
        let written = try await adjustments(bench)
        #expect(written.map(\.month) == ["2026-11", "2026-11", "2026-11"])
        #expect(written.map(\.amount) == [100_000_000, 10_000_000, 10_000_000])
        #expect(written.map(\.currency) == ["JPY", "JPY", "JPY"])
        #expect(Set(written.compactMap(\.settles)).count == 3)
        let statement = String(decoding: closed.statement, as: UTF8.self)
        #expect(statement.contains(#""net":"1000""#))
        #expect(statement.contains(#""month":"2026-11""#))
        // Once, and never again.
        #expect(try await UsageReporter(bench.store, book: bench.book).lateCalls(of: november).isEmpty)
        _ = try await bench.close(BillingMonth("2027-01")!)
        #expect(try await adjustments(bench).count == 3)
    }

    @Test func `late calls of two closings go on from position to position`() async throws {
        let bench = try Bench()
        for number in 0..<9 { try await bench.call(number, at: "2026-11-10T00:00:00Z") }
        for number in 9..<11 { try await bench.call(number, at: "2026-11-11T00:00:00Z", ends: .uncertain) }
        _ = try await bench.close(november, includingUnsettled: true)
        try await resolve(bench, 9, at: "2026-12-05T00:00:00Z")
        _ = try await bench.close(december)
        try await resolve(bench, 10, at: "2027-01-05T00:00:00Z")
        _ = try await bench.close(BillingMonth("2027-01")!)
        // The first took the tenth position: the second has the eleventh.
        #expect(try await adjustments(bench).map(\.amount) == [100_000_000, 10_000_000])
    }

    @Test func `a correction of a late call is not taken for the taking in of it`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-10T00:00:00Z", ends: .uncertain)
        _ = try await bench.close(november, includingUnsettled: true)
        try await resolve(bench, 1, at: "2026-12-02T00:00:00Z")
        #expect(try await bench.accept([Bench.line(1, "130")]).written == 1)
        _ = try await bench.close(december)
        // Thirty yen of correction, and the hundred that the call costs.
        #expect(try await adjustments(bench).map(\.amount) == [30_000_000, 100_000_000])
        let again = try await bench.reconcile([Bench.line(1, "130")])
        #expect(again.isClean)
    }

    @Test func `a late call without a price is an adjustment without an amount, and never of zero`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-10T00:00:00Z", of: "free-for-all", ends: .uncertain)
        _ = try await bench.close(november, includingUnsettled: true)
        let resolved = Bench.event(.resolved, 1, at: "2026-12-01T00:00:00Z", of: "free-for-all")
        try await bench.store.append([resolved])
        _ = try await bench.close(december)
        let written = try await adjustments(bench)
        #expect(written.map(\.quantity) == [1])
        #expect(written.map(\.amount) == [nil])
        #expect(written.map(\.currency) == [nil])
    }
}
