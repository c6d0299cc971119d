import Billing
import MemoryStore
import Testing
import Usage
import VerificationCore

/// What is accepted of an invoice is written once, and brings our account to theirs.
@Suite struct ReconcilerTests {
    private typealias Class = Reconciliation.Class

    /// Calls and an invoice with one fault of each kind.
    private func faults() async throws -> (bench: Bench, invoice: [InvoiceLine]) {
        let text = """
            gamma: { currency: "USD", tariffs: [ { from: "2026-01-01", prices: {}, tax: { rate: "0", rounding: "down" } } ] }
            """
        let bench = try Bench(text)
        for number in 1...4 { try await bench.call(number, at: "2026-11-10T00:00:00Z") }
        try await bench.call(5, at: "2026-10-31T14:59:00Z")
        for number in 6...7 { try await bench.call(number, at: "2026-11-10T00:00:00Z", ends: .uncertain) }
        // Nobody set a price for it.
        let unpriced = [LedgerDraft.Kind.started, .ended].map {
            Bench.event($0, 8, at: "2026-11-10T00:00:00Z", as: .dataRefetch)
        }
        try await bench.store.append(unpriced)
        let failed = [LedgerDraft.Kind.started, .ended].map {
            Bench.event($0, 9, at: "2026-11-10T00:00:00Z", as: .nonBillable)
        }
        try await bench.store.append(failed)
        var refetch = Bench.line(8, "7")
        refetch = InvoiceLine(
            line: 9, reference: refetch.reference, ownReference: nil, time: refetch.time, billableClass: .dataRefetch,
            quantity: 1, amount: refetch.amount)
        let invoice = [
            Bench.line(1), Bench.line(2, "120.5"), Bench.line(3), Bench.line(3), Bench.line(5), Bench.line(6), refetch,
            Bench.line(9, "100"), Bench.line(77, "55"), Bench.line(78, "56", own: "theirs"),
        ]
        return (bench, invoice)
    }

    @Test func `accepted findings are no findings any more, however often the same invoice is accepted`() async throws {
        let (bench, invoice) = try await faults()
        let found = try await bench.reconcile(invoice)
        #expect(
            found.findings.map(\.kind) == [
                .matched, .amountDiffers, .matched, .duplicateAtTheirs, .monthDiffers, .uncertainResolved,
                .unpricedAtOurs, .theirsOnly, .theirsOnly, .theirsOnly, .oursOnly, .uncertainResolved,
            ])
        let accepted = try await bench.accept(invoice)
        #expect(accepted.written == 11)
        let head = try await bench.store.ledgerHead()
        let again = try await bench.reconcile(invoice)
        #expect(again.isClean, "\(again.findings.filter { $0.kind != .matched })")
        #expect(try await bench.accept(invoice).written == 0)
        #expect(try await bench.accept(invoice).written == 0)
        #expect(try await bench.store.ledgerHead() == head)
        // October's invoice does not ask for what November's did.
        let october = try await bench.reconcile([], BillingMonth("2026-10")!)
        #expect(october.findings.isEmpty, "\(october.findings)")
    }

    @Test func `adjustments add up to the difference of the two accounts`() async throws {
        let (bench, invoice) = try await faults()
        _ = try await bench.accept(invoice)
        var sums: [String: Int64] = [:]
        for draft in try await bench.store.settlements(after: 0).map(\.draft) where draft.kind == .adjusted {
            sums[draft.month ?? "", default: 0] += draft.amount ?? 0
            #expect(draft.currency == (draft.amount == nil ? nil : "JPY"))
            #expect(draft.actor == "finance")
            #expect(draft.note == "invoice 7")
            #expect(draft.outcome == nil)
        }
        // 20.5 more, one twice, one out of October, one unpriced, three that we did not have, one that they did not.
        #expect(sums["2026-10"] == -100_000_000)
        let november: [Int64] = [20_500_000, 100_000_000, 100_000_000, 7_000_000, 100_000_000, 55_000_000, 56_000_000]
        #expect(sums["2026-11"] == november.reduce(-100_000_000, +))
    }

    @Test func `of acceptances at the same time one writes`() async throws {
        let (bench, invoice) = try await faults()
        let written = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await bench.accept(invoice).written } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(written.filter { $0 > 0 } == [11])
        #expect(try await bench.reconcile(invoice).isClean)
    }

    @Test func `a corrected invoice takes back what was accepted of the first one`() async throws {
        let bench = try Bench()
        for number in 1...2 { try await bench.call(number, at: "2026-11-10T00:00:00Z") }
        let first = [Bench.line(1, "150"), Bench.line(2), Bench.line(2), Bench.line(50, "30")]
        #expect(try await bench.accept(first).written == 3)
        let second = [Bench.line(1), Bench.line(2)]
        let found = try await bench.reconcile(second)
        #expect(found.findings.map(\.kind) == [.amountDiffers, .matched, .oursOnly, .oursOnly])
        #expect(try await bench.accept(second).written == 3)
        #expect(try await bench.reconcile(second).isClean)
        var sum: Int64 = 0
        var quantity: Int64 = 0
        for draft in try await bench.store.settlements(after: 0).map(\.draft) {
            sum += draft.amount ?? 0
            quantity += draft.quantity
        }
        #expect(sum == 0)
        #expect(quantity == 0)
    }

    @Test func `what is not named is not accepted, and nothing is written of what agrees`() async throws {
        let (bench, invoice) = try await faults()
        #expect(try await bench.accept(invoice, kinds: [.matched]).written == 0)
        #expect(try await bench.accept(invoice, kinds: [.duplicateAtTheirs]).written == 1)
        let rest = try await bench.reconcile(invoice)
        #expect(rest.findings(of: .duplicateAtTheirs).isEmpty)
        #expect(rest.findings(of: .amountDiffers).count == 1)
        #expect(rest.findings(of: .theirsOnly).count == 3)
    }

    @Test func `an amount that the ledger has no room for is not accepted as none`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-10T00:00:00Z")
        let head = try await bench.store.ledgerHead()
        let invoice = [Bench.line(1, "9300000000000"), Bench.line(2, "9300000000000")]
        #expect(try await bench.accept(invoice).written == 0)
        #expect(try await bench.store.ledgerHead() == head)
        #expect(try await bench.reconcile(invoice).findings.map(\.kind) == [.amountDiffers, .theirsOnly])
    }

    @Test func `an invoice in another currency than the prices is refused`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-10T00:00:00Z")
        let order = AcceptedFindings.Order(
            verifier: VerifierID("alpha"), month: Bench.november, currency: Currency("USD")!,
            kinds: Set(Class.allCases), now: Bench.time("2026-12-10T00:00:00Z"), actor: "finance", note: "",
            configurationVersion: "v2")
        await #expect(throws: InvoiceAcceptance.Refusal.currencyDiffers(.yen)) {
            try await InvoiceAcceptance(bench.store, book: bench.book).accept([Bench.line(1, "2")], order)
        }
        #expect(try await bench.store.settlements(after: 0).isEmpty)
    }

    @Test func `a call resolved by an invoice stays in the month in which it was made`() async throws {
        let bench = try Bench()
        try await bench.call(1, at: "2026-11-30T14:59:59Z", ends: .uncertain)
        let invoice = [Bench.line(1)]
        #expect(try await bench.accept(invoice).written == 1)
        #expect(try await bench.report(of: Bench.november).sums.first?.net == 100)
        #expect(try await bench.report(of: Bench.december).sums.first?.net == 0)
        #expect(try await bench.reconcile(invoice).isClean)
    }
}
