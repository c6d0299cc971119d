public import VerificationCore

/// What one verifier costs, over time.
public struct VerifierPrices: Sendable, Hashable {
    /// The currency of its invoices.
    public let currency: Currency
    /// The zone of its months.
    public let zone: BillingZone
    /// Which time decides the month.
    public let billingTime: BillingTime
    /// The tariffs in order, without a gap and without an overlap.
    public let tariffs: [Tariff]

    /// Prices.
    public init(currency: Currency, zone: BillingZone, billingTime: BillingTime, tariffs: [Tariff]) {
        self.currency = currency
        self.zone = zone
        self.billingTime = billingTime
        self.tariffs = tariffs
    }

    /// The place among ``tariffs`` of the one in force on a day.
    public func tariff(on day: CivilDate) -> Int? { tariffs.firstIndex { $0.covers(day) } }
}

/// What every verifier costs, as finance keeps it.
public struct PriceBook: Sendable, Hashable {
    /// Its name, which reports and statements carry.
    public let name: String
    /// The zone for what has no prices.
    public let zone: BillingZone
    /// The prices.
    public let verifiers: [VerifierID: VerifierPrices]

    /// The book of whoever has none: whatever bills is unpriced.
    public static let none = PriceBook(name: "none", zone: .standard, verifiers: [:])

    /// A book.
    public init(name: String, zone: BillingZone, verifiers: [VerifierID: VerifierPrices]) {
        self.name = name
        self.zone = zone
        self.verifiers = verifiers
    }
}
