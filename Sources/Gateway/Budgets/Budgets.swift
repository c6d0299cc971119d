import Billing
import Synchronization
import VerificationCore

/// What is used of the configured budgets. The ledger counts: whatever wrote an event, a session, a fallback, a shadow or
/// a gateway before this one, it is read from there before anything is decided. What has no event yet, because it is
/// about to begin, takes a place here.
final class Budgets: Sendable {
    /// Events or sessions read at once.
    private static let pageSize = 10_000
    /// A clock that was set may have written the month's first events a little before it.
    private static let margin = Duration.seconds(86_400)
    /// How long after its last instant a submission may still be on its way to the ledger.
    static let grace = Duration.seconds(60)

    /// What is counted, and by which configuration.
    struct Terms: Sendable {
        let budgets: [Budget]
        let prices: PriceBook
        let verifiers: [VerifierID: VerifierDescription]

        init(_ running: Running) {
            budgets = running.settings.budgets
            prices = running.settings.prices
            verifiers = budgets.isEmpty ? [:] : running.verifiers.mapValues(\.description)
        }
    }

    fileprivate struct State {
        var book: BudgetBook?
        var prices: PriceBook?
        /// Everything from here on is counted.
        var from = Timestamp(milliseconds: .max)
        /// The last event that is counted.
        var seen: Int64 = 0

        func holds(_ terms: Terms, at now: Timestamp) -> Bool {
            guard let book, book.budgets == terms.budgets, prices == terms.prices else { return false }
            return from <= book.beginning(at: now)
        }
    }

    private let state = Mutex(State())
    private let recount = Mutex<Task<Result<Void, StoreError>, Never>?>(nil)

    /// Counts what the ledger holds that is not counted yet.
    func refresh(_ terms: Terms, from store: any Store, at now: Timestamp) async throws(StoreError) {
        guard !terms.budgets.isEmpty else { return state.withLock { $0 = State() } }
        if !state.withLock({ $0.holds(terms, at: now) }) { try await countAnew(terms, store, now) }
        try await readOn(store)
        state.withLock { $0.book?.sweep(at: now) }
    }

    private func readOn(_ store: any Store) async throws(StoreError) {
        while true {
            let seen = state.withLock { $0.seen }
            let events = try await store.ledger(from: seen + 1, limit: Self.pageSize)
            state.withLock { $0.count(events) }
            guard events.count == Self.pageSize else { return }
        }
    }

    /// Counts the month so far. However many ask for it, it is counted once: a month of a million calls takes seconds.
    private func countAnew(_ terms: Terms, _ store: any Store, _ now: Timestamp) async throws(StoreError) {
        let task = recount.withLock { running in
            if let running { return running }
            let task = Task { [self] in
                let result: Result<Void, StoreError>
                do throws(StoreError) {
                    try await count(terms, store, now)
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                recount.withLock { $0 = nil }
                return result
            }
            running = task
            return task
        }
        try await task.value.get()
    }

    private func count(_ terms: Terms, _ store: any Store, _ now: Timestamp) async throws(StoreError) {
        var count = BudgetCount(terms, from: BudgetBook(terms.budgets, prices: terms.prices).beginning(at: now))
        count.head = try await store.ledgerHead()
        try await count.readCalls(store, margin: Self.margin, pageSize: Self.pageSize)
        try await count.readCorrections(store)
        if terms.budgets.contains(where: { $0.hard != nil }) { try await count.readSessions(store, grace: Self.grace) }
        // Whatever began up to the head has given its place back, so that none is counted twice.
        if state.withLock({ $0.book != nil }) { try await readOn(store) }
        let counted = count
        state.withLock { state in
            var book = counted.book
            if let before = state.book { book.takeOver(from: before) }
            state = State(book: book, prices: terms.prices, from: counted.from, seen: counted.head)
        }
    }
}

extension Budgets {
    /// Whether nothing more of a verifier may be begun for a client.
    func isSpent(_ verifier: VerifierDescription, for client: ClientID, at now: Timestamp) -> Bool {
        let uses = verifier.uses(for: client).map(\.use)
        return state.withLock { $0.book?.isSpent(for: uses, at: now) ?? false }
    }

    /// Takes the places of an attempt that is about to begin and may submit until a time; `false` where a budget does not
    /// hold it.
    func reserve(_ attempt: Attempt, until end: Timestamp, at now: Timestamp) -> Bool {
        let uses = attempt.budgetUses
        return state.withLock { $0.book?.reserve(uses, until: end.advanced(by: Self.grace), at: now) ?? true }
    }

    /// Gives back what an attempt will not use any more.
    func release(_ attempt: AttemptID) {
        state.withLock { $0.book?.release([.begin, .submit].map { BudgetCall(attempt, CallName($0)) }) }
    }

    /// The budgets and what is used of each.
    func standings(at now: Timestamp) -> [BudgetBook.Standing] {
        state.withLock { $0.book?.standings(at: now) ?? [] }
    }

    /// The limits that are reached and that this process did not tell of.
    func untold(at now: Timestamp) -> [(reached: BudgetBook.Reached, used: ExactAmount)] {
        state.withLock { $0.book?.untold(at: now) ?? [] }
    }

    /// Notes that a limit was told of; `false` where it was already.
    func tell(_ reached: BudgetBook.Reached) -> Bool {
        state.withLock { $0.book?.tell(reached) ?? false }
    }
}

extension Budgets.State {
    /// Counts events; those that were counted by somebody else meanwhile are left out.
    fileprivate mutating func count(_ events: [LedgerEvent]) {
        // Read for a count that was begun anew meanwhile, they may leave a gap.
        guard let first = events.first, first.sequence <= seen + 1 else { return }
        for event in events where event.sequence > seen {
            seen = event.sequence
            book?.count(event)
        }
    }
}

extension BudgetBook {
    /// Counts an event of the ledger.
    mutating func count(_ event: LedgerEvent) {
        let draft = event.draft
        let call = BudgetCall(draft.attempt, draft.call)
        switch draft.kind {
        case .started: begin(call, BudgetUse(draft), at: draft.at)
        case .ended, .resolved: settle(call, as: draft.billableClass, draft.quantity)
        // It may have been billed, and counts as it did.
        case .uncertain: break
        case .adjusted:
            // One with an outcome takes a late call into the account of a later month: the call is counted already.
            guard draft.outcome == nil, let month = draft.month.flatMap({ BillingMonth($0) }) else { return }
            correct(
                month, BudgetUse(draft), amount: draft.amount.map { ExactAmount(millionths: $0) },
                currency: draft.currency.flatMap { Currency($0) })
        case .closed: break
        }
    }
}

extension BudgetUse {
    init(_ draft: LedgerDraft) {
        self.init(
            verifier: draft.verifier, client: draft.client,
            isSubmission: BudgetCall(draft.attempt, draft.call).name == CallName(.submit),
            billableClass: draft.billableClass, quantity: draft.quantity)
    }
}
