public import VerificationCore

/// What is used of some budgets. It counts what it is told of; time is an argument.
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

    /// The budgets.
    public let budgets: [Budget]
    private let zone: BillingZone
    /// What is used by budget, and by the first day of the period.
    private var used: [[CivilDate: Int64]]
    private var told: Set<Reached> = []
    private var newest: CivilDate?

    /// Budgets of which nothing is used. `zone` says when days and months begin.
    public init(_ budgets: [Budget], zone: BillingZone) {
        self.budgets = budgets
        self.zone = zone
        used = budgets.map { _ in [:] }
    }

    /// The earliest instant that a period of now's may begin at: what lies before it need not be counted.
    public func beginning(at now: Timestamp) -> Timestamp { zone.range(of: zone.month(of: now)).lowerBound }

    /// Counts so many of a unit, which happened at a time.
    public mutating func add(
        _ quantity: Int64, of unit: Budget.Unit, verifier: VerifierID, client: ClientID, at time: Timestamp
    ) {
        guard quantity > 0 else { return }
        let day = zone.day(of: time)
        forget(before: day)
        for (place, budget) in budgets.enumerated() where budget.unit == unit && budget.holds(verifier, client) {
            let first = Self.first(of: budget.period, day)
            let (sum, overflow) = used[place][first, default: 0].addingReportingOverflow(quantity)
            used[place][first] = overflow ? .max : sum
        }
    }

    /// What is used of each budget in the period that a time is in, in the order of ``budgets``.
    public func used(at now: Timestamp) -> [Int64] {
        let day = zone.day(of: now)
        return budgets.indices.map { used[$0][Self.first(of: budgets[$0].period, day)] ?? 0 }
    }

    /// Whether nothing more of a verifier may be begun for a client.
    public func isSpent(_ verifier: VerifierID, for client: ClientID, at now: Timestamp) -> Bool {
        let used = used(at: now)
        return budgets.enumerated().contains { place, budget in
            budget.holds(verifier, client) && budget.hard.map { used[place] >= $0 } ?? false
        }
    }

    /// The limits that were reached since it was asked last, each once in its period.
    public mutating func reached(at now: Timestamp) -> [Reached] {
        let day = zone.day(of: now)
        var found: [Reached] = []
        for (place, used) in used(at: now).enumerated() {
            let budget = budgets[place]
            for (limit, edge) in [(Limit.soft, budget.soft), (.hard, budget.hard)] {
                guard let edge, used >= edge else { continue }
                let reached = Reached(budget: budget, limit: limit, from: Self.first(of: budget.period, day))
                if told.insert(reached).inserted { found.append(reached) }
            }
        }
        return found
    }

    private static func first(of period: Budget.Period, _ day: CivilDate) -> CivilDate {
        switch period {
        case .day: day
        case .month: BillingMonth(of: day).days.first ?? day
        }
    }

    /// Two months are kept: an event may be written a little after midnight that happened before it.
    private mutating func forget(before day: CivilDate) {
        guard newest.map({ $0 < day }) ?? true else { return }
        newest = day
        guard let last = BillingMonth(of: day).previous.days.first else { return }
        for place in used.indices { used[place] = used[place].filter { $0.key >= last } }
        told = told.filter { $0.from >= last }
    }
}
