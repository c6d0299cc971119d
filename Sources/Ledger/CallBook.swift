public import VerificationCore

/// What the ledger's events leave of its calls: one ``UsageCall`` for each `started`, as the later events change it.
extension UsageCall {
    /// A call that an event starts; `nil` for an event that starts none.
    public init?(starting event: LedgerEvent, verifier: Int32, client: Int32, purpose: Int32) {
        guard event.draft.kind == .started else { return nil }
        self.init(
            sequence: event.sequence, verifier: verifier, client: client, purpose: purpose, role: event.draft.role,
            isSubmission: event.draft.isOfSubmission, billableClass: event.draft.billableClass,
            quantity: event.draft.quantity, startedAt: event.draft.at)
        providerTime = event.draft.providerTime
    }

    /// Takes in an event of the same attempt and call; one that tells of no end changes nothing.
    public mutating func take(_ event: LedgerEvent) {
        guard let state = State(event.draft.kind) else { return }
        self.state = state
        lastSequence = event.sequence
        outcome = event.draft.outcome
        billableClass = event.draft.billableClass
        quantity = event.draft.quantity
        // Finding out later what became of a call does not move it into the month of finding out.
        if event.draft.kind != .resolved || event.draft.call == nil || endedAt == nil { endedAt = event.draft.at }
        providerTime = event.draft.providerTime ?? providerTime
    }
}

extension UsageCall.State {
    /// Where an event leaves its call; `nil` for one that ends none.
    public init?(_ kind: LedgerDraft.Kind) {
        switch kind {
        case .ended: self = .ended
        case .uncertain: self = .uncertain
        case .resolved: self = .resolved
        case .started, .adjusted, .closed: return nil
        }
    }
}

extension LedgerDraft {
    /// Whether it is about a submission. Events older than calls are: they had no other.
    public var isOfSubmission: Bool { call.map { $0 == CallName(.submit) } ?? true }

    /// The month that it closes; a month is closed once.
    public var closedMonth: String? { kind == .closed ? month : nil }
}
