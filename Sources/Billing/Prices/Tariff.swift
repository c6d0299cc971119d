public import VerificationCore

/// What one class of event costs.
public struct Price: Sendable, Hashable {
    /// How steps of a price share a month's events.
    public enum Steps: String, Sendable, CaseIterable, Hashable {
        /// Each event at the price of the step that its own position falls in.
        case graduated
        /// Every event at the price of the step that the month's total falls in.
        case volume
    }

    /// One step: events up to and including `upTo` cost `unit`; `nil` is without end.
    public struct Step: Sendable, Hashable {
        /// The last position of the step, counted from 1 after the free ones.
        public let upTo: Int64?
        /// The price of one.
        public let unit: ExactAmount

        /// A step.
        public init(upTo: Int64?, unit: ExactAmount) {
            self.upTo = upTo
            self.unit = unit
        }
    }

    /// How many are free each month. They are the first ones, and the steps are counted after them.
    public let free: Int64
    /// How the steps are used.
    public let kind: Steps
    /// The steps, in rising order; the last one is without end.
    public let steps: [Step]

    /// A price.
    public init(free: Int64 = 0, kind: Steps = .graduated, steps: [Step]) {
        self.free = free
        self.kind = kind
        self.steps = steps
    }

    /// One price for each.
    public init(unit: ExactAmount) {
        self.init(steps: [Step(upTo: nil, unit: unit)])
    }

    /// The step of a position, counted from 1 after the free ones.
    func step(at position: Int64) -> Int {
        steps.firstIndex { $0.upTo.map { position <= $0 } ?? true } ?? steps.count - 1
    }
}

/// What a verifier's provider asks for from one day until another.
public struct Tariff: Sendable, Hashable {
    /// The first day.
    public let from: CivilDate
    /// The first day on which it is not in force any more; `nil` is without end.
    public let until: CivilDate?
    /// What is paid for.
    public let prices: [BillableClass: Price]
    /// What is not: a class in neither is unpriced.
    public let notBilled: Set<BillableClass>
    /// What each month costs whatever happens.
    public let flatFee: ExactAmount
    /// What a month's events cost at least, the flat fee not counted.
    public let minimum: ExactAmount
    /// The rate of tax on all of it.
    public let taxRate: TaxRate
    /// How tax, and the sum before it, are rounded.
    public let rounding: Rounding

    /// A tariff.
    public init(
        from: CivilDate, until: CivilDate?, prices: [BillableClass: Price], notBilled: Set<BillableClass>,
        flatFee: ExactAmount, minimum: ExactAmount, taxRate: TaxRate, rounding: Rounding
    ) {
        self.from = from
        self.until = until
        self.prices = prices
        self.notBilled = notBilled
        self.flatFee = flatFee
        self.minimum = minimum
        self.taxRate = taxRate
        self.rounding = rounding
    }

    /// Whether it is in force on a day.
    public func covers(_ day: CivilDate) -> Bool { from <= day && until.map { day < $0 } ?? true }
}
