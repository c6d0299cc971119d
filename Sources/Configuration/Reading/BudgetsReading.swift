import Billing
import JSONTree
import VerificationCore

extension ConfigurationReading {
    /// More than that a month is beyond any gateway.
    static let budgetRange: ClosedRange<Int64> = 0...1_000_000_000_000
    /// More budgets than anybody watches: each is reckoned for every session.
    static let mostBudgets = 64

    /// How much may be used. A price book that could not be read has problems of its own, and names no currency.
    func budgets(_ book: PriceBook) -> [Budget] {
        var budgets: [Budget] = []
        let readers = root.optionalArray("budgets") ?? []
        if readers.count > Self.mostBudgets { root.report("must hold at most \(Self.mostBudgets)", member: "budgets") }
        for reader in readers where reader.isObject() {
            guard let budget = budget(reader, book) else { continue }
            // By what it counts and for how long, whatever its limits are.
            if budgets.contains(where: { "\($0)" == "\(budget)" }) {
                reader.report("counts the same as one before it: put both limits into one")
            }
            budgets.append(budget)
        }
        return budgets
    }

    private func budget(_ reader: JSONReader, _ book: PriceBook) -> Budget? {
        defer { reader.rejectUnknownKeys() }
        let verifier = name(reader, "verifier", in: "verifiers").map { VerifierID($0) }
        let client = name(reader, "client", in: "clients").map { ClientID($0) }
        let period = reader.enumeration("per", as: Budget.Period.self)
        let unit = reader.enumeration("unit", as: Budget.Unit.self)
        let currency = currency(reader, unit, verifier, book)
        let (soft, hard) = (reader.optional("soft"), reader.optional("hard"))
        let limits = [soft, hard].map { $0.flatMap { limit($0, unit) } }
        if soft == nil, hard == nil { reader.report("needs a \"soft\" or a \"hard\" limit") }
        if let low = limits[0], let high = limits[1], low >= high { soft?.report("must lie below \"hard\"") }
        guard let period, let unit else { return nil }
        return Budget(
            verifier: verifier, client: client, period: period, unit: unit, currency: currency, soft: limits[0],
            hard: limits[1])
    }

    private func name(_ reader: JSONReader, _ member: String, in dictionary: String) -> String? {
        guard let place = reader.optional(member), let name = place.string() else { return nil }
        if !isDeclared(name, in: dictionary) {
            let known = root.node[dictionary]?.members?.map(\.name) ?? []
            place.reportUnknown(name, member, among: known)
        }
        return name
    }

    /// The currency of an amount. What is priced in no currency, or in another one, would count nothing for ever.
    private func currency(
        _ reader: JSONReader, _ unit: Budget.Unit?, _ verifier: VerifierID?, _ book: PriceBook
    ) -> Currency? {
        let place = reader.optional("currency")
        guard unit == .amount else {
            if unit != nil { place?.report("belongs to the unit \"amount\"") }
            return nil
        }
        guard let place else {
            reader.report("is missing: an amount has one", member: "currency")
            return nil
        }
        guard let code = place.string() else { return nil }
        guard let currency = Currency(code) else {
            place.report("is not the code of a currency whose minor unit is known, such as \"JPY\"")
            return nil
        }
        guard !isRecalled, root.node["prices"] == nil || book != .none else { return currency }
        let priced = verifier.map { [$0] } ?? Array(book.verifiers.keys)
        if !priced.contains(where: { book.verifiers[$0]?.currency == currency }) {
            place.report(
                verifier == nil
                    ? "is a currency that the price book has no prices in"
                    : "is not the currency that the price book has this verifier's prices in")
        }
        return currency
    }

    /// A limit: of money a decimal string, and otherwise a number.
    private func limit(_ reader: JSONReader, _ unit: Budget.Unit?) -> ExactAmount? {
        switch unit {
        case .attempts, .billable: return reader.integer(in: Self.budgetRange).map { ExactAmount($0) }
        case .amount:
            guard let text = reader.string() else { return nil }
            guard let amount = ExactAmount(text), amount >= .zero else {
                reader.report("must be an amount as a decimal string, such as \"500000\"")
                return nil
            }
            return amount
        case nil: return nil
        }
    }
}
