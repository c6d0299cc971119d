import Billing
import Cryptography
import MemoryStore
import Testing
import Usage
import VerificationCore

/// When a month is closed, when not, and what stays of it.
@Suite struct ClosingTests {
    private let november = Bench.november
    private let december = Bench.december

    @Test func `a month is not closed before it has ended in every zone that bills it`() async throws {
        let bench = try Bench(
            """
            beta: { currency: "USD", time_zone: "America/New_York", tariffs: [ { from: "2026-01-01", prices: {},
              tax: { rate: "0", rounding: "down" } } ] }
            """)
        try await bench.call(1, at: "2026-11-10T00:00:00Z")
        // Midnight in Tokyo is not yet midnight in New York.
        for early in ["2026-11-30T14:59:59Z", "2026-11-30T15:00:00Z", "2026-12-01T04:59:59Z"] {
            await #expect(throws: MonthClosing.Refusal.notEnded) { try await bench.close(november, at: early) }
        }
        #expect(try await bench.store.ledgerHead() == 2)
        let closed = try await bench.close(november, at: "2026-12-01T05:00:00Z")
        #expect(closed.event.draft.kind == .closed)
    }

    @Test func `open and uncertain calls hinder a closing and are named, unless it is told to go on`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-10T00:00:00Z")
        try await bench.call(2, at: "2026-11-11T00:00:00Z", ends: nil)
        try await bench.call(3, at: "2026-11-12T00:00:00Z", ends: .uncertain)
        try await bench.call(4, at: "2026-12-02T00:00:00Z", ends: .uncertain)
        await #expect(throws: MonthClosing.Refusal.unsettled(count: 2, first: [3, 4])) {
            try await bench.close(november)
        }
        #expect(try await bench.store.closings().isEmpty)
        let closed = try await bench.close(november, includingUnsettled: true)
        let text = String(decoding: closed.statement, as: UTF8.self)
        #expect(text.contains(#""unsettled":[3,4]"#), "\(text)")
        #expect(text.contains(#""net":"100""#))
    }

    @Test func `months are closed in order, also past months without a call`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-09-10T00:00:00Z")
        try await bench.call(2, at: "2026-11-10T00:00:00Z")
        let september = BillingMonth("2026-09")!
        // October has nothing, and does not hide September.
        await #expect(throws: MonthClosing.Refusal.previousOpen(september)) { try await bench.close(november) }
        _ = try await bench.close(september)
        _ = try await bench.close(november)
        await #expect(throws: MonthClosing.Refusal.alreadyClosed) { try await bench.close(november) }
        await #expect(throws: MonthClosing.Refusal.alreadyClosed) { try await bench.close(september) }
        // A month without a call is closed as any other.
        _ = try await bench.close(december)
        #expect(try await bench.store.closings().count == 3)
    }

    @Test func `a month that is closed late takes no correction of a month after it`() async throws {
        let bench = try Bench()
        let october = BillingMonth("2026-10")!
        try await bench.call(1, at: "2026-10-10T00:00:00Z")
        try await bench.call(2, at: "2026-11-10T00:00:00Z")
        // November's invoice is held against the ledger before October is closed.
        #expect(try await bench.accept([Bench.line(2), Bench.line(7, "55")]).written == 1)
        func sums(_ month: BillingMonth) async throws -> [String] {
            try await UsageReporter(bench.store, book: bench.book).usage(of: month, by: [.verifier]).adjustments
                .map { "\($0.month?.description ?? "") \($0.amount)" }
        }
        #expect(try await sums(october) == [])
        #expect(try await sums(november) == ["2026-11 55"])
        #expect(try await sums(december) == [])
        _ = try await bench.close(october)
        #expect(try await sums(october) == [])
        #expect(try await sums(november) == ["2026-11 55"])
        // What corrects October from now on is November's, for October is closed.
        #expect(try await bench.accept([Bench.line(1, "90", at: "2026-10-10T00:00:00Z")], october).written == 1)
        #expect(try await sums(november) == ["2026-10 -10", "2026-11 55"])
        _ = try await bench.close(november)
        #expect(try await sums(november) == ["2026-10 -10", "2026-11 55"])
        #expect(try await sums(december) == [])
        _ = try await bench.close(december)
        #expect(try await sums(december) == [])
    }

    @Test func `the statement is frozen and hashed into the chain, whatever comes later`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-10T00:00:00Z")
        let closed = try await bench.close(november)
        #expect(closed.event.draft.statement == Hash.sha256(closed.statement))
        #expect(closed.event.draft.actor == "finance")
        #expect(try await bench.store.statement(of: "2026-11") == closed.statement)
        try await bench.call(2, at: "2026-11-20T00:00:00Z")
        _ = try await bench.close(december)
        #expect(try await bench.store.statement(of: "2026-11") == closed.statement)
        let twice = String(decoding: closed.statement, as: UTF8.self)
        #expect(!twice.contains(#""net":"200""#))
    }

    @Test func `of many closings of one month one is made`() async throws {
        let bench = try Bench()
        for number in 0..<20 { try await bench.call(number, at: "2026-11-10T00:00:00Z") }
        let refusals = await withTaskGroup(of: MonthClosing.Refusal?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    do throws(MonthClosing.Refusal) {
                        _ = try await bench.close(november)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [MonthClosing.Refusal?]()) { $0.append($1) }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.compactMap { $0 }.allSatisfy { $0 == .alreadyClosed || $0 == .overtaken })
        #expect(try await bench.store.closings().count == 1)
    }

    @Test func `calls that go on while a month is closed do not hinder it`() async throws {
        let bench = try Bench()
        for number in 0..<500 { try await bench.call(number, at: "2026-11-10T00:00:00Z") }
        let traffic = Task {
            var number = 1000
            while !Task.isCancelled {
                try await bench.call(number, at: "2026-12-20T00:00:00Z")
                number += 1
            }
        }
        let closed = try await bench.close(november, at: "2026-12-20T00:00:00Z")
        traffic.cancel()
        #expect(String(decoding: closed.statement, as: UTF8.self).contains(#""attempts":500"#))
    }
}
