import Billing
import Testing
import VerificationCore

@Suite struct ReconciliationTests {
    private let month = BillingMonth("2026-11")!

    private func call(
        _ number: Int, month: String = "2026-11", amount: String? = "80", standing: BilledCall.Standing = .billed,
        reference: String? = nil, as billableClass: BillableClass = .completedPass
    ) -> BilledCall {
        BilledCall(
            sequence: Int64(number), attempt: "att_\(number)", session: "ses_\(number)",
            reference: reference ?? "ref-\(number)", time: Timestamp(seconds: 1_793_500_000 + Int64(number)),
            month: BillingMonth(month)!, billableClass: billableClass, quantity: 1,
            amount: amount.flatMap { ExactAmount($0) }, standing: standing)
    }

    private func line(
        _ number: Int, reference: String? = nil, own: String? = nil, amount: String? = "80", quantity: Int64 = 1,
        as billableClass: BillableClass? = .completedPass
    ) -> InvoiceLine {
        InvoiceLine(
            line: number + 1, reference: reference ?? "ref-\(number)", ownReference: own,
            time: Timestamp(seconds: 1_793_500_000 + Int64(number)), billableClass: billableClass, quantity: quantity,
            amount: amount.flatMap { ExactAmount($0) })
    }

    @Test func `one fault of each kind gives exactly those faults`() {
        let calls = [
            call(1), call(2), call(3, month: "2026-10"), call(4), call(5, standing: .uncertain),
            call(6, standing: .uncertain), call(7, amount: nil), call(8, standing: .notBilled), call(9),
        ]
        let lines = [
            line(1), line(2, amount: "90"), line(3), line(4), line(4), line(5), line(7), line(8), line(99),
        ]
        let found = Reconciliation(month: month, lines: lines, calls: calls)
        #expect(
            found.findings.map(\.kind) == [
                .matched, .amountDiffers, .monthDiffers, .matched, .duplicateAtTheirs, .uncertainResolved,
                .unpricedAtOurs, .theirsOnly, .theirsOnly, .uncertainResolved, .oursOnly,
            ])
        #expect(found.findings(of: .oursOnly).map { $0.call?.attempt } == ["att_9"])
        #expect(found.totals.first { $0.kind == .amountDiffers }?.difference?.description == "10")
        #expect(found.totals.first { $0.kind == .unpricedAtOurs }?.difference == nil)
        #expect(!found.isClean)
    }

    @Test func `a month that agrees is clean, in whatever order its lines come`() {
        let calls = (0..<50).map { call($0) }
        let found = Reconciliation(month: month, lines: (0..<50).reversed().map { line($0) }, calls: calls)
        #expect(found.isClean)
        #expect(found.findings.count == 50)
    }

    @Test func `our own reference goes before the provider's`() {
        let calls = [call(1, reference: "same"), call(2, reference: "same")]
        let lines = [line(2, reference: "same", own: "att_2"), line(1, reference: "same", own: "ses_1")]
        let found = Reconciliation(month: month, lines: lines, calls: calls)
        #expect(found.findings.map { $0.call?.attempt } == ["att_2", "att_1"])
        #expect(found.isClean)
    }

    @Test func `two calls of one reference are told apart by class, then by time`() {
        let calls = [call(1, reference: "r", as: .sessionCreated), call(2, reference: "r"), call(3, reference: "r")]
        let lines = [line(3, reference: "r"), line(1, reference: "r", as: .sessionCreated), line(2, reference: "r")]
        let found = Reconciliation(month: month, lines: lines, calls: calls)
        #expect(found.findings.map { $0.call?.sequence } == [3, 1, 2])
        #expect(found.isClean)
    }

    @Test func `a quantity that differs is an amount that differs, and an amount that is not given is not compared`() {
        let found = Reconciliation(
            month: month, lines: [line(1, amount: nil), line(2, amount: nil, quantity: 2)], calls: [call(1), call(2)])
        #expect(found.findings.map(\.kind) == [.matched, .amountDiffers])
    }

    @Test func `where an invoice states amounts, a line without one agrees with nothing that costs`() {
        let found = Reconciliation(
            month: month, lines: [line(1), line(2, amount: nil), line(3, amount: nil)],
            calls: [call(1), call(2), call(3, amount: "0")])
        #expect(found.findings.map(\.kind) == [.matched, .amountDiffers, .matched])
        #expect(!found.isClean)
        // What it asks for is not known, so neither is the difference.
        #expect(found.findings[1].difference == nil)
    }

    @Test func `calls of the months beside it are no ours-only`() {
        let found = Reconciliation(
            month: month, lines: [], calls: [call(1, month: "2026-10"), call(2, month: "2026-12"), call(3)])
        #expect(found.findings.map { $0.call?.sequence } == [3])
    }
}
