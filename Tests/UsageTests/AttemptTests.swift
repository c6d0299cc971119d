import Billing
import MemoryStore
import Testing
import Usage
import VerificationCore

/// What is one attempt, and what is not.
@Suite struct AttemptTests {
    @Test func `U05 three tries of one person are three attempts, and a repeat of a call on the wire is none`()
        async throws
    {
        let bench = try Bench()
        for (number, outcome) in [AttemptOutcome.failed, .failed, .verified].enumerated() {
            var started = Bench.event(.started, number, at: "2026-11-10T00:00:0\(number)Z")
            started.session = SessionID("ses_one")
            started.role = number == 0 ? .primary : .fallback
            var ended = started
            ended.kind = .ended
            ended.outcome = outcome
            // Only the verdict is paid for.
            if outcome == .failed { ended.billableClass = .nonBillable }
            let pair = [started, ended]
            try await bench.store.append(pair)
            // The same call again has no second event.
            await #expect(throws: StoreError.conflict) { try await bench.store.append([started]) }
            await #expect(throws: StoreError.conflict) { try await bench.store.append([ended]) }
        }
        let report = try await bench.report(of: Bench.november)
        #expect(report.totals.map(\.counts.attempts) == [1, 2])
        #expect(report.totals.map(\.counts.verified) == [0, 1])
        #expect(report.totals.map(\.counts.failed) == [1, 1])
        #expect(report.totals.map(\.counts.billable) == [0, 1])
        #expect(report.sums.map(\.net) == [100])
    }

    @Test func `U07 a price from a later day changes nothing of the days before it, also of a fallback`() async throws {
        let store = MemoryStore()
        func book(_ second: String) throws -> PriceBook {
            try PriceBook.read(
                Array(
                    """
                    { name: "b", verifiers: { alpha: { currency: "JPY", tariffs: [ { from: "2026-01-01",
                      \(second.isEmpty ? "" : "until: \"2026-11-16\",") prices: { completed_any: { unit: "100" } },
                      tax: { rate: "0", rounding: "down" } }, \(second) ] } } }
                    """.utf8))
        }
        for (number, time) in ["2026-11-15T14:59:59Z", "2026-11-15T15:00:00Z"].enumerated() {
            let events = [LedgerDraft.Kind.started, .ended].map { kind in
                var event = Bench.event(kind, number, at: time)
                event.role = .fallback
                return event
            }
            try await store.append(events)
        }
        let later = """
            { from: "2026-11-16", prices: { completed_any: { unit: "7" } }, tax: { rate: "0", rounding: "down" } }
            """
        let days = try await UsageReporter(store, book: try book(later)).report(of: Bench.november, by: [.day])
        #expect(days.rows.map { $0.amounts[.yen]?.description } == ["100", "7"])
        #expect(days.rows.map(\.role) == [.fallback, .fallback])
        let before = try await UsageReporter(store, book: try book("")).report(of: Bench.november, by: [.day])
        #expect(before.rows.map { $0.amounts[.yen]?.description } == ["100", "100"])
    }
}
