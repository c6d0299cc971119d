import Billing
import MemoryStore
import Usage
import VerificationCore

/// A small ledger to close and reconcile: one verifier `alpha`, 100 yen each for the first ten of a month, then 10.
struct Bench {
    static let november = BillingMonth("2026-11")!
    static let december = BillingMonth("2026-12")!
    let store = MemoryStore()
    let book: PriceBook

    init(monthBy rule: String = "ended", _ verifiers: String = "") throws {
        let text = """
            { name: "bench", verifiers: { alpha: { currency: "JPY", month_by: "\(rule)", tariffs: [ { from: "2026-01-01",
              prices: { completed_any: { kind: "graduated", steps: [ { up_to: 10, unit: "100" }, { unit: "10" } ] } },
              not_billed: ["status_check"], tax: { rate: "0.10", rounding: "down" } } ] }, \(verifiers) } }
            """
        book = try PriceBook.read(Array(text.utf8))
    }

    static func time(_ text: String) -> Timestamp { RFC3339.timestamp(text)! }

    static func event(
        _ kind: LedgerDraft.Kind, _ number: Int, at time: String, of verifier: String = "alpha",
        as billableClass: BillableClass = .completedAny, call: CallName = CallName(.submit)
    ) -> LedgerDraft {
        var draft = LedgerDraft(
            kind: kind, attempt: AttemptID("att_\(number)"), role: .primary, session: SessionID("ses_\(number)"),
            verifier: VerifierID(verifier), client: ClientID("app"), purpose: PurposeID("account"),
            at: Self.time(time), billableClass: billableClass, configurationVersion: "v1")
        draft.call = call
        draft.providerReference = "ref-\(number)"
        if kind == .ended || kind == .resolved { draft.outcome = .verified }
        return draft
    }

    /// A call from its start to its end, a second later by the clock of the text given.
    func call(_ number: Int, at time: String, of verifier: String = "alpha", ends kind: LedgerDraft.Kind? = .ended)
        async throws
    {
        var drafts = [Self.event(.started, number, at: time, of: verifier)]
        if let kind { drafts.append(Self.event(kind, number, at: time, of: verifier)) }
        let written = drafts
        try await store.append(written)
    }

    func closing() -> MonthClosing { MonthClosing(store, book: book) }

    func close(
        _ month: BillingMonth, at now: String = "2027-03-01T00:00:00Z", includingUnsettled: Bool = false
    ) async throws(MonthClosing.Refusal) -> MonthClosing.Closed {
        try await closing().close(
            MonthClosing.Order(
                month: month, now: Self.time(now), actor: "finance", note: nil, includingUnsettled: includingUnsettled,
                configurationVersion: "v2"))
    }

    func report(of month: BillingMonth) async throws -> UsageReport {
        try await UsageReporter(store, book: book).report(of: month, by: [.verifier])
    }

    func reconcile(_ lines: [InvoiceLine], _ month: BillingMonth = november) async throws -> Reconciliation {
        try await InvoiceReconciler(UsageReporter(store, book: book)).reconcile(
            lines, of: VerifierID("alpha"), month: month)
    }

    func accept(
        _ lines: [InvoiceLine], _ month: BillingMonth = november, kinds: Set<Reconciliation.Class>? = nil
    ) async throws(InvoiceAcceptance.Refusal) -> InvoiceAcceptance.Accepted {
        try await InvoiceAcceptance(store, book: book).accept(
            lines,
            AcceptedFindings.Order(
                verifier: VerifierID("alpha"), month: month, currency: .yen,
                kinds: kinds ?? Set(Reconciliation.Class.allCases), now: Self.time("2026-12-10T00:00:00Z"),
                actor: "finance", note: "invoice 7", configurationVersion: "v2"))
    }

    static func line(
        _ number: Int, _ amount: String? = "100", reference: String? = nil, own: String? = nil,
        at time: String = "2026-11-10T00:00:00Z", quantity: Int64 = 1
    ) -> InvoiceLine {
        InvoiceLine(
            line: number + 1, reference: reference ?? (own == nil ? "ref-\(number)" : nil), ownReference: own,
            time: Self.time(time), billableClass: .completedAny, quantity: quantity,
            amount: amount.flatMap { ExactAmount($0) })
    }
}
