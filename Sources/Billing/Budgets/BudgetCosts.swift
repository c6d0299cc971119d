import VerificationCore

/// What calls cost, for budgets of money. A price depends on what was used before it in its month, by anybody, so each
/// verifier's month is priced as its invoice will be.
struct BudgetCosts: Sendable {
    private struct Account: Hashable {
        let verifier: VerifierID
        let month: BillingMonth
    }

    /// What sums are kept by: no finer than some budget needs, because every sum is made anew for each question.
    private struct Group: Hashable {
        let client: ClientID?
        let day: CivilDate?
    }

    private let budgets: [Budget]
    private let prices: PriceBook
    private let splitsClients: Bool
    private let splitsDays: Bool
    private var raters: [Account: Rater] = [:]
    private var numbers: [Group: Int] = [:]
    private var groups: [Group] = []
    /// Corrections by budget and the first day of its period.
    private var corrections: [[CivilDate: ExactAmount]]

    init(_ budgets: [Budget], prices: PriceBook) {
        let own = budgets.filter { $0.unit == .amount }
        self.budgets = budgets
        self.prices = prices
        splitsClients = own.contains { $0.client != nil }
        splitsDays = own.contains { $0.period == .day }
        corrections = budgets.map { _ in [:] }
    }

    private var isNeeded: Bool { budgets.contains { $0.unit == .amount } }

    mutating func add(_ use: BudgetUse, at time: Timestamp, _ day: CivilDate) {
        guard isNeeded, use.billed > 0, let prices = prices.verifiers[use.verifier] else { return }
        let account = Account(verifier: use.verifier, month: BillingMonth(of: day))
        let number = number(of: use, day)
        raters[account, default: Rater(prices, month: account.month)]
            .add(use.billableClass, at: time, quantity: use.quantity, group: number)
    }

    mutating func correct(_ place: Int, _ first: CivilDate, by amount: ExactAmount) {
        corrections[place][first, default: .zero] += amount
    }

    /// What a budget's period costs, with the calls that are not settled priced as what they may be.
    mutating func total(
        _ place: Int, _ first: CivilDate, pending: [(use: BudgetUse, at: Timestamp, day: CivilDate)]
    ) -> ExactAmount {
        let budget = budgets[place]
        let month = BillingMonth(of: first)
        var sum = corrections[place][first] ?? .zero
        for (verifier, prices) in prices.verifiers
        where prices.currency == budget.currency && budget.verifier.map({ $0 == verifier }) ?? true {
            var rater = raters[Account(verifier: verifier, month: month)] ?? Rater(prices, month: month)
            for (use, time, day) in pending
            where use.verifier == verifier && use.billed > 0 && BillingMonth(of: day) == month {
                rater.add(use.billableClass, at: time, quantity: use.quantity, group: number(of: use, day))
            }
            for (number, amount) in rater.invoice().groups where isCounted(groups[number], by: budget, first) {
                sum += amount
            }
        }
        return sum
    }

    private func isCounted(_ group: Group, by budget: Budget, _ first: CivilDate) -> Bool {
        (budget.client == nil || budget.client == group.client)
            && (budget.period == .month || group.day == first)
    }

    private mutating func number(of use: BudgetUse, _ day: CivilDate) -> Int {
        let group = Group(client: splitsClients ? use.client : nil, day: splitsDays ? day : nil)
        if let number = numbers[group] { return number }
        groups.append(group)
        numbers[group] = groups.count - 1
        return groups.count - 1
    }

    mutating func forget(before day: CivilDate) {
        raters = raters.filter { $0.key.month >= BillingMonth(of: day) }
        for place in corrections.indices { corrections[place] = corrections[place].filter { $0.key >= day } }
    }
}
