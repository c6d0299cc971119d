public import VerificationCore

/// What a provider's invoice for a month should say, by the price book.
public struct Invoice: Sendable {
    /// Events of one class at one price.
    public struct Line: Sendable, Hashable {
        /// The class.
        public let billableClass: BillableClass
        /// The place of the tariff among the verifier's.
        public let tariff: Int
        /// The place of the step among the price's; `nil` for free ones.
        public let step: Int?
        /// Whether they are free.
        public let isFree: Bool
        /// How many.
        public let quantity: Int64
        /// The price of one.
        public let unit: ExactAmount

        /// The exact sum.
        public var amount: ExactAmount { unit * quantity }

        var order: (String, Int, Int) { (billableClass.rawValue, tariff, step ?? -1) }
    }

    /// The part of an invoice that is taxed at one rate.
    public struct TaxedPart: Sendable, Hashable {
        /// The rate.
        public let rate: TaxRate
        /// The sum before tax in minor units, rounded once.
        public let net: Int64
        /// The tax in minor units, rounded once, on `net`.
        public let tax: Int64
    }

    /// The currency.
    public let currency: Currency
    /// The month.
    public let month: BillingMonth
    /// The lines, by class, tariff and step.
    public let lines: [Line]
    /// The exact sum of each of the caller's groups. Flat fee and top-up belong to none.
    public let groups: [Int: ExactAmount]
    /// How many events had no price, by class and group. They are no part of any sum.
    public let unpriced: [BillableClass: [Int: Int64]]
    /// How many events had no price.
    public let unpricedCount: Int64
    /// The flat fee.
    public let flatFee: ExactAmount
    /// What is missing to the minimum.
    public let topUp: ExactAmount
    /// The sums by rate of tax, in the order of the tariffs.
    public let parts: [TaxedPart]

    init(
        prices: VerifierPrices, month: BillingMonth, lines: [Line], groups: [Int: ExactAmount],
        unpriced: [BillableClass: [Int: Int64]]
    ) {
        self.currency = prices.currency
        self.month = month
        self.lines = lines
        self.groups = groups
        self.unpriced = unpriced
        unpricedCount = unpriced.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        let events = lines.reduce(ExactAmount.zero) { $0 + $1.amount }
        // A contract that begins in the middle of the month has its terms from then on, whether there were calls or not.
        let opening = month.days.lazy.compactMap { prices.tariff(on: $0) }.first
        let terms = opening.map { prices.tariffs[$0] }
        flatFee = terms?.flatFee ?? .zero
        topUp = max(.zero, (terms?.minimum ?? .zero) - events)
        var sums: [(rate: TaxRate, rounding: Rounding, sum: ExactAmount)] = []
        func add(_ amount: ExactAmount, under tariff: Tariff) {
            if let place = sums.firstIndex(where: { $0.rate == tariff.taxRate && $0.rounding == tariff.rounding }) {
                sums[place].sum += amount
            } else {
                sums.append((tariff.taxRate, tariff.rounding, amount))
            }
        }
        if let terms { add(flatFee + topUp, under: terms) }
        for line in lines { add(line.amount, under: prices.tariffs[line.tariff]) }
        parts = sums.map {
            let net = $0.sum.minorUnits(of: prices.currency, $0.rounding)
            return TaxedPart(rate: $0.rate, net: net, tax: $0.rate.tax(onMinorUnits: net, $0.rounding))
        }
    }

    /// An invoice as a statement froze it: without groups, and with the number of what had no price alone.
    init(
        currency: Currency, month: BillingMonth, lines: [Line], unpricedCount: Int64, flatFee: ExactAmount,
        topUp: ExactAmount, parts: [TaxedPart]
    ) {
        self.currency = currency
        self.month = month
        self.lines = lines
        groups = [:]
        unpriced = [:]
        self.unpricedCount = unpricedCount
        self.flatFee = flatFee
        self.topUp = topUp
        self.parts = parts
    }

    /// The sum before tax, in minor units.
    public var net: Int64 { parts.reduce(Int64(0)) { $0.addingMinorUnits($1.net) } }
    /// The tax, in minor units.
    public var tax: Int64 { parts.reduce(Int64(0)) { $0.addingMinorUnits($1.tax) } }
    /// What is to be paid, in minor units.
    public var total: Int64 { net.addingMinorUnits(tax) }
}
