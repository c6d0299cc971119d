public import Billing
public import VerificationCore

/// Turns findings that somebody accepted into events of the ledger. What it writes brings our account to the invoice's.
public struct AcceptedFindings: Sendable {
    /// Who accepts, when, and why.
    public struct Order: Sendable {
        /// The verifier whose invoice it is.
        public let verifier: VerifierID
        /// The invoice's month.
        public let month: BillingMonth
        /// The currency of the invoice.
        public let currency: Currency
        /// Which findings: what is not named stays as it is, to be talked about with the provider.
        public let kinds: Set<Reconciliation.Class>
        /// The time.
        public let now: Timestamp
        /// Who.
        public let actor: String
        /// Why.
        public let note: String
        /// The configuration version.
        public let configurationVersion: String

        /// An order.
        public init(
            verifier: VerifierID, month: BillingMonth, currency: Currency, kinds: Set<Reconciliation.Class>,
            now: Timestamp, actor: String, note: String, configurationVersion: String
        ) {
            self.verifier = verifier
            self.month = month
            self.currency = currency
            self.kinds = kinds
            self.now = now
            self.actor = actor
            self.note = note
            self.configurationVersion = configurationVersion
        }
    }

    private let order: Order
    private let events: [Int64: LedgerDraft]

    /// `events` are the events that the findings' calls were last left by, by sequence number.
    public init(_ order: Order, events: [Int64: LedgerDraft]) {
        self.order = order
        self.events = events
    }

    /// The events to write.
    public func drafts(for findings: [Reconciliation.Finding]) -> [LedgerDraft] {
        findings.filter { order.kinds.contains($0.kind) }.flatMap(drafts)
    }

    private func drafts(for finding: Reconciliation.Finding) -> [LedgerDraft] {
        switch finding.kind {
        case .matched:
            return []
        case .uncertainResolved:
            return resolution(finding).map { [$0] } ?? []
        case .monthDiffers:
            // Out of the month that we counted it in, and into the one that it was billed in.
            guard let call = finding.call, let line = finding.line else { return [] }
            let theirs = line.amount ?? call.amount
            let out = adjustment(
                finding, month: call.month, amount: call.amount.map { .zero - $0 }, quantity: -call.quantity)
            let into = adjustment(finding, month: order.month, amount: theirs, quantity: line.quantity)
            guard let out, let into else { return [] }
            return [out, into]
        case .duplicateAtTheirs:
            // An entry of its own beside the call's, which another line has: it names the call and settles nothing.
            let entry = adjustment(
                finding, month: order.month, amount: finding.difference, quantity: quantity(finding))
            guard var draft = entry else { return [] }
            draft.settles = nil
            draft.providerReference = finding.line?.reference ?? finding.line?.ownReference
            draft.providerTime = finding.line?.time
            return [draft]
        case .amountDiffers, .theirsOnly, .unpricedAtOurs:
            let amount = finding.kind == .unpricedAtOurs ? finding.line?.amount : finding.difference
            let quantity = quantity(finding)
            // A line without an amount corrects nothing where the quantity agrees.
            guard amount != nil || quantity != 0 else { return [] }
            return [adjustment(finding, month: order.month, amount: amount, quantity: quantity)].compactMap { $0 }
        case .oursOnly:
            return [
                adjustment(
                    finding, month: order.month, amount: finding.call?.amount.map { .zero - $0 },
                    quantity: -(finding.call?.quantity ?? 0))
            ].compactMap { $0 }
        }
    }

    /// By how many our account grows.
    private func quantity(_ finding: Reconciliation.Finding) -> Int64 {
        let theirs = finding.line?.quantity ?? 0
        switch finding.kind {
        case .amountDiffers, .unpricedAtOurs: return theirs - (finding.call?.quantity ?? 0)
        case .theirsOnly, .duplicateAtTheirs: return theirs
        case .matched, .monthDiffers, .oursOnly, .uncertainResolved: return 0
        }
    }

    /// `nil` for an amount that the ledger has no room for: a correction without it would correct nothing and look as if.
    private func adjustment(
        _ finding: Reconciliation.Finding, month: BillingMonth, amount: ExactAmount?, quantity: Int64
    ) -> LedgerDraft? {
        if let amount, amount.ledgerMillionths == nil { return nil }
        var draft = base(finding)
        draft.kind = .adjusted
        // A correction tells nothing of how the call ended.
        draft.outcome = nil
        draft.month = month.description
        draft.quantity = quantity
        draft.amount = amount?.ledgerMillionths
        draft.currency = amount == nil ? nil : order.currency.code
        if let kind = finding.line?.billableClass { draft.billableClass = kind }
        return draft
    }

    /// What became of a call whose answer was lost: billed, where the invoice names it, and otherwise not.
    private func resolution(_ finding: Reconciliation.Finding) -> LedgerDraft? {
        guard finding.call != nil else { return nil }
        var draft = base(finding)
        draft.kind = .resolved
        // The invoice says what is paid for and not what the verdict was; the session has long ended without one.
        draft.outcome = .failed
        if let line = finding.line {
            if let kind = line.billableClass { draft.billableClass = kind }
            draft.quantity = line.quantity
            draft.providerTime = line.time
        } else {
            draft.billableClass = .nonBillable
            draft.quantity = 0
        }
        return draft
    }

    private func base(_ finding: Reconciliation.Finding) -> LedgerDraft {
        var draft: LedgerDraft
        if let call = finding.call, let known = events[call.sequence] {
            draft = known
            draft.settles = call.sequence
        } else {
            // A line that nothing of ours stands behind.
            draft = LedgerDraft(
                kind: .adjusted, attempt: AttemptID(""), role: .primary, session: SessionID(""),
                verifier: order.verifier, client: ClientID(""), purpose: PurposeID(""), at: order.now,
                billableClass: finding.line?.billableClass ?? .nonBillable,
                configurationVersion: order.configurationVersion)
            draft.providerReference = finding.line?.reference ?? finding.line?.ownReference
            draft.providerTime = finding.line?.time
        }
        draft.at = order.now
        draft.actor = order.actor
        draft.note = order.note
        draft.configurationVersion = order.configurationVersion
        return draft
    }
}
