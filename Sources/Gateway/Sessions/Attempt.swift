import VerificationCore

/// One use of a verifier for a session, as the ledger names it.
struct Attempt: Sendable {
    let id: AttemptID
    let role: AttemptRole
    let verifier: VerifierDescription
    let session: SessionID
    let client: ClientID
    let purpose: PurposeID
    let configurationVersion: String
    /// What the other side calls it, where it said so before: by it, an invoice names a call whose answer was lost.
    var providerReference: String?

    init(
        id: AttemptID, role: AttemptRole, verifier: VerifierDescription, session: SessionID, client: ClientID,
        purpose: PurposeID, configurationVersion: String
    ) {
        self.id = id
        self.role = role
        self.verifier = verifier
        self.session = session
        self.client = client
        self.purpose = purpose
        self.configurationVersion = configurationVersion
    }

    /// An attempt of a session that is kept.
    init(id: AttemptID, role: AttemptRole, verifier: VerifierDescription, of record: SessionRecord) {
        self.init(
            id: id, role: role, verifier: verifier, session: record.id, client: record.client,
            purpose: record.purpose, configurationVersion: record.configurationVersion)
    }

    /// A call of the attempt; polls and fetches are numbered from 1.
    func call(_ step: VerificationStep, number: Int? = nil) -> ProviderCall {
        ProviderCall(attempt: self, step: step, name: CallName(step, number: number))
    }
}

/// How a call came out, as far as the ledger minds.
enum CallEnd: Sendable {
    /// The other side took it; the outcome is that of the verification, where the call told it.
    case answered(AttemptOutcome?, ProviderFacts)
    /// It failed and was not billed.
    case failed
    /// Nobody knows: it may have been billed.
    case unknown
    /// It was never made.
    case unmade
}

/// One call of an attempt, and the events that the ledger has of it.
struct ProviderCall: Sendable {
    let attempt: Attempt
    let step: VerificationStep
    let name: CallName

    /// Whether the ledger knows of it before it is made: each submission that leaves this machine, and any other call
    /// that its provider bills.
    var isWrittenBefore: Bool {
        attempt.verifier.reachesOut && (step == .submit || attempt.verifier.billing.rules[step] != nil)
    }

    /// Whether what it bills depends on a verdict.
    var isBilledByVerdict: Bool {
        switch attempt.verifier.billing.rules[step]?.condition {
        case .verdict, .verified: true
        case .call, nil: false
        }
    }

    /// What the verifier is given with the call. The key is the same for every repeat of it.
    func context(at now: Timestamp, deadline: Timestamp) -> AttemptContext {
        AttemptContext(
            attempt: attempt.id, idempotencyKey: attempt.id.rawValue + "-" + name.rawValue, now: now,
            deadline: deadline)
    }

    /// It is about to be made.
    func started(at now: Timestamp) -> LedgerDraft {
        let rule = attempt.verifier.billing.rules[step]
        return draft(.started, at: now, rule?.billableClass ?? .nonBillable, quantity: rule?.quantity ?? 1)
    }

    /// How it ended. Nothing for a call that the ledger does not know of.
    func ended(_ end: CallEnd, at now: Timestamp) -> [LedgerDraft] {
        guard isWrittenBefore else { return [] }
        switch end {
        case .answered, .failed: return [event(of: end, .ended, at: now, settles: nil)]
        case .unknown: return [event(of: end, .uncertain, at: now, settles: nil)]
        case .unmade: return []
        }
    }

    /// What is to be written of a submission by whoever made it, and so knows that it is open.
    func concluded(_ end: CallEnd, startedAt: Timestamp, at now: Timestamp) -> [LedgerDraft] {
        if case .unmade = end { return [] }
        return isWrittenBefore ? ended(end, at: now) : pair(end.outcome, startedAt: startedAt, at: now)
    }

    /// How it ended after all, though an event said that nobody knew.
    func resolved(_ end: CallEnd, at now: Timestamp, settles sequence: Int64) -> LedgerDraft {
        event(of: end, .resolved, at: now, settles: sequence)
    }

    /// Nobody knows how a call that was `started` ended: what it may be billed as stays what it was. `reference` is what
    /// the other side has come to call it, if it did.
    static func uncertain(_ started: LedgerEvent, at now: Timestamp, reference: String? = nil) -> LedgerDraft {
        var draft = started.draft
        draft.kind = .uncertain
        draft.providerReference = reference ?? draft.providerReference
        draft.at = now
        draft.settles = started.sequence
        return draft
    }

    /// Both events of a submission that never left this machine: it is written with its verdict.
    func pair(_ outcome: AttemptOutcome, startedAt: Timestamp, at now: Timestamp) -> [LedgerDraft] {
        let billable: BillableClass =
            switch outcome {
            case .verified: .completedPass
            case .rejected: .completedFail
            case .failed: .nonBillable
            }
        let started = draft(.started, at: startedAt, billable, quantity: 1)
        var ended = started
        ended.kind = .ended
        ended.at = now
        ended.outcome = outcome
        return [started, ended]
    }

    /// What is still to be written of the call, in view of what the ledger has of its session.
    func settlement(
        _ end: CallEnd, among events: [LedgerEvent], startedAt: Timestamp, at now: Timestamp
    ) -> [LedgerDraft] {
        if case .unmade = end { return [] }
        let own = events.filter { $0.draft.attempt == attempt.id && $0.draft.call == name }
        guard !own.contains(where: { $0.draft.kind == .ended || $0.draft.kind == .resolved }) else { return [] }
        if let open = own.first(where: { $0.draft.kind == .uncertain }) {
            if case .unknown = end { return [] }
            return [resolved(end, at: now, settles: open.sequence)]
        }
        if let open = own.first(where: { $0.draft.kind == .started }) {
            if case .unknown = end {
                return [Self.uncertain(open, at: now, reference: attempt.providerReference)]
            }
            return ended(end, at: now)
        }
        guard isWrittenBefore else { return step == .submit ? pair(end.outcome, startedAt: startedAt, at: now) : [] }
        return [started(at: startedAt)] + ended(end, at: now)
    }

    private func event(
        of end: CallEnd, _ kind: LedgerDraft.Kind, at now: Timestamp, settles sequence: Int64?
    ) -> LedgerDraft {
        var event: LedgerDraft
        switch end {
        case .answered(let outcome, let facts):
            let charge = attempt.verifier.billing.charge(for: step, outcome: outcome)
            event = draft(kind, at: now, charge?.billableClass ?? .nonBillable, quantity: charge?.quantity ?? 1)
            event.outcome = outcome
            event.providerReference = facts.reference ?? attempt.providerReference
            event.providerTime = facts.eventTime
        case .failed:
            event = draft(kind, at: now, .nonBillable, quantity: 1)
            event.outcome = .failed
        case .unknown, .unmade:
            event = started(at: now)
            event.kind = kind
        }
        event.settles = sequence
        return event
    }

    private func draft(
        _ kind: LedgerDraft.Kind, at now: Timestamp, _ billable: BillableClass, quantity: Int64
    ) -> LedgerDraft {
        var draft = LedgerDraft(
            kind: kind, attempt: attempt.id, role: attempt.role, session: attempt.session,
            verifier: attempt.verifier.id, client: attempt.client, purpose: attempt.purpose, at: now,
            billableClass: billable, quantity: quantity, configurationVersion: attempt.configurationVersion)
        draft.certification = attempt.verifier.certification?.number
        draft.call = name
        draft.providerReference = attempt.providerReference
        return draft
    }
}

extension CallEnd {
    /// The outcome for a submission's own pair.
    var outcome: AttemptOutcome {
        switch self {
        case .answered(let outcome, _): outcome ?? .failed
        case .failed, .unknown, .unmade: .failed
        }
    }
}
