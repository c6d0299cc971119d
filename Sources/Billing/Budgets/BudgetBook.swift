public import VerificationCore

/// What is used of some budgets. It counts what it is told of; time is an argument.
///
/// A call counts in the period in which it began, whatever becomes of it and when. As long as nobody knows what it is
/// billed as, it counts as what it may be: an answer that was lost is not free until somebody says so. Beside that,
/// places can be taken for what is about to begin, so that many who begin at once stay below a limit together.
public struct BudgetBook: Sendable {
    /// Which of a budget's limits.
    public enum Limit: String, Sendable, CaseIterable, Hashable {
        case soft, hard
    }

    /// A limit that was reached.
    public struct Reached: Sendable, Hashable {
        /// The budget.
        public let budget: Budget
        /// Which limit.
        public let limit: Limit
        /// The first day of the period.
        public let from: CivilDate
    }

    /// What is used of a budget.
    public struct Standing: Sendable, Hashable {
        /// The budget.
        public let budget: Budget
        /// The first day of the period.
        public let from: CivilDate
        /// What is used.
        public let used: ExactAmount
        /// What is used once everything that has a place has begun.
        public let promised: ExactAmount
    }

    private struct Entry {
        let use: BudgetUse
        let at: Timestamp
        let day: CivilDate
    }

    private struct Place {
        let use: BudgetUse
        let until: Timestamp
    }

    /// The budgets.
    public let budgets: [Budget]
    private let zone: BillingZone
    /// Attempts, and what is billed for certain, by budget and the first day of the period.
    private var counts: [[CivilDate: Int64]]
    private var costs: BudgetCosts
    /// Calls of which nobody knows yet what they are billed as.
    private var open: [BudgetCall: Entry] = [:]
    private var places: [BudgetCall: Place] = [:]
    /// Hard limits that something was held back at before they were used up to the last.
    private var heldBack: Set<Reached> = []
    private var told: Set<Reached> = []
    private var newest: CivilDate?

    /// Budgets of which nothing is used. The price book says when days and months begin, and what things cost.
    public init(_ budgets: [Budget], prices: PriceBook) {
        self.budgets = budgets
        zone = prices.zone
        counts = budgets.map { _ in [:] }
        costs = BudgetCosts(budgets, prices: prices)
    }

    /// The earliest instant that a period of now's may begin at: what lies before it need not be counted.
    public func beginning(at now: Timestamp) -> Timestamp { zone.range(of: zone.month(of: now)).lowerBound }

    // MARK: What happened

    /// A call began. Its place, if it has one, is given back.
    public mutating func begin(_ call: BudgetCall, _ use: BudgetUse, at time: Timestamp) {
        places[call] = nil
        let day = zone.day(of: time)
        forget(before: day)
        if use.isSubmission { count(1, of: .attempts, use, day) }
        open[call] = Entry(use: use, at: time, day: day)
    }

    /// What a call is billed as is known. One that is not known to be open was counted already.
    public mutating func settle(_ call: BudgetCall, as billableClass: BillableClass, _ quantity: Int64) {
        guard let entry = open.removeValue(forKey: call) else { return }
        settle(entry.use.billed(as: billableClass, quantity), at: entry.at, entry.day)
    }

    /// A call that began and ended before anybody counted.
    public mutating func add(_ use: BudgetUse, at time: Timestamp) {
        let day = zone.day(of: time)
        forget(before: day)
        if use.isSubmission { count(1, of: .attempts, use, day) }
        settle(use, at: time, day)
    }

    /// Somebody corrected a month. It is no day's, so budgets of days do not count it.
    public mutating func correct(
        _ month: BillingMonth, _ use: BudgetUse, amount: ExactAmount?, currency: Currency?
    ) {
        guard let first = month.days.first else { return }
        for (place, budget) in budgets.enumerated()
        where budget.period == .month && budget.holds(use.verifier, use.client) {
            switch budget.unit {
            case .attempts: break
            case .billable where use.billableClass != .nonBillable: add(use.quantity, to: place, first)
            case .billable: break
            case .amount:
                if let amount, let currency, currency == budget.currency { costs.correct(place, first, by: amount) }
            }
        }
    }

    private mutating func settle(_ use: BudgetUse, at time: Timestamp, _ day: CivilDate) {
        count(use.billed, of: .billable, use, day)
        costs.add(use, at: time, day)
    }

    private mutating func count(_ quantity: Int64, of unit: Budget.Unit, _ use: BudgetUse, _ day: CivilDate) {
        for (place, budget) in budgets.enumerated()
        where budget.unit == unit && budget.holds(use.verifier, use.client) {
            add(quantity, to: place, budget.first(day))
        }
    }

    private mutating func add(_ quantity: Int64, to place: Int, _ first: CivilDate) {
        let (sum, overflow) = counts[place][first, default: 0].addingReportingOverflow(quantity)
        counts[place][first] = overflow ? .max : sum
    }

    // MARK: What is about to happen

    /// Takes places for calls of one attempt, for as long as they can begin, or says that a budget does not hold them.
    public mutating func reserve(
        _ uses: [BudgetCall: BudgetUse], until end: Timestamp, at now: Timestamp
    ) -> Bool {
        guard !isSpent(for: Array(uses.values), at: now) else { return false }
        keep(uses, until: end)
        return true
    }

    /// Takes places whatever the budgets say: for what was promised before they were there.
    public mutating func keep(_ uses: [BudgetCall: BudgetUse], until end: Timestamp) {
        for (call, use) in uses { places[call] = Place(use: use, until: end) }
    }

    /// Gives places back that will not be needed.
    public mutating func release(_ calls: some Sequence<BudgetCall>) {
        for call in calls { places[call] = nil }
    }

    /// Takes over from a book that counted until now: the places that are taken, and what was told.
    public mutating func takeOver(from other: BudgetBook) {
        places.merge(other.places) { _, theirs in theirs }
        told.formUnion(other.told)
        heldBack.formUnion(other.heldBack)
    }

    /// Gives back the places of what can begin no more.
    public mutating func sweep(at now: Timestamp) {
        if places.values.contains(where: { $0.until < now }) { places = places.filter { $0.value.until >= now } }
    }

    /// Whether some budget does not hold the calls of one attempt any more.
    public mutating func isSpent(for uses: [BudgetUse], at now: Timestamp) -> Bool {
        let day = zone.day(of: now)
        let placed = placed(at: now)
        var isSpent = false
        for (place, budget) in budgets.enumerated() {
            guard let hard = budget.hard, let first = uses.first, budget.holds(first.verifier, first.client) else {
                continue
            }
            let used = used(place, day)
            guard used >= hard || total(place, day, with: placed + uses, at: now) > hard else { continue }
            isSpent = true
            // Nothing but what is used stands in the way: the limit is reached, though a rest is left.
            if used < hard, total(place, day, with: uses, at: now) > hard {
                heldBack.insert(Reached(budget: budget, limit: .hard, from: budget.first(day)))
            }
        }
        return isSpent
    }

    private func placed(at now: Timestamp) -> [BudgetUse] {
        places.values.compactMap { $0.until >= now ? $0.use : nil }
    }

    // MARK: What is used

    /// What is used of each budget in the period that a time is in, in the order of ``budgets``.
    public mutating func standings(at now: Timestamp) -> [Standing] {
        let day = zone.day(of: now)
        let placed = placed(at: now)
        return budgets.indices.map { place in
            Standing(
                budget: budgets[place], from: budgets[place].first(day), used: used(place, day),
                promised: total(place, day, with: placed, at: now))
        }
    }

    private mutating func used(_ place: Int, _ day: CivilDate) -> ExactAmount {
        total(place, day, with: [], at: .init(milliseconds: 0))
    }

    /// What is used in the period of a day, and what would be with some more calls at a time in it.
    private mutating func total(
        _ place: Int, _ day: CivilDate, with more: [BudgetUse], at time: Timestamp
    ) -> ExactAmount {
        let budget = budgets[place]
        let first = budget.first(day)
        let counted = counts[place][first] ?? 0
        let own = more.filter { budget.holds($0.verifier, $0.client) }
        switch budget.unit {
        case .attempts:
            return ExactAmount(counted) + ExactAmount(Int64(own.count { $0.isSubmission }))
        case .billable:
            let pending = open.values.filter {
                budget.holds($0.use.verifier, $0.use.client) && budget.first($0.day) == first
            }
            let sum = (pending.map(\.use) + own).reduce(ExactAmount.zero) { $0 + ExactAmount($1.billed) }
            return max(.zero, ExactAmount(counted) + sum)
        case .amount:
            // What others use moves the tier that one's own is priced by.
            let pending = open.values.map { (use: $0.use, at: $0.at, day: $0.day) }.sorted { $0.at < $1.at }
            return max(.zero, costs.total(place, first, pending: pending + more.map { ($0, time, day) }))
        }
    }

    // MARK: What is told

    /// The limits that are reached and were not told of.
    public mutating func untold(at now: Timestamp) -> [(reached: Reached, used: ExactAmount)] {
        standings(at: now).flatMap { standing in
            [(Limit.soft, standing.budget.soft), (.hard, standing.budget.hard)].compactMap { limit, edge in
                let reached = Reached(budget: standing.budget, limit: limit, from: standing.from)
                guard let edge, standing.used >= edge || heldBack.contains(reached), !told.contains(reached) else {
                    return nil
                }
                return (reached, standing.used)
            }
        }
    }

    /// Notes that a limit was told of; `false` where it was already.
    public mutating func tell(_ reached: Reached) -> Bool { told.insert(reached).inserted }

    /// Two months are kept: an event may be written a little after midnight that happened before it.
    private mutating func forget(before day: CivilDate) {
        guard newest.map({ $0 < day }) ?? true else { return }
        newest = day
        guard let last = BillingMonth(of: day).previous.days.first else { return }
        for place in counts.indices { counts[place] = counts[place].filter { $0.key >= last } }
        costs.forget(before: last)
        open = open.filter { $0.value.day >= last }
        told = told.filter { $0.from >= last }
        heldBack = heldBack.filter { $0.from >= last }
    }
}
