public import JSONTree
public import VerificationCore

/// What corrections of one verifier, month and currency add up to.
public struct AdjustmentSum: Sendable, Hashable {
    /// The verifier.
    public let verifier: VerifierID
    /// The month that is corrected.
    public let month: BillingMonth?
    /// The currency.
    public let currency: Currency
    /// How many corrections.
    public let count: Int64
    /// The exact sum before tax.
    public let amount: ExactAmount

    /// The sum as it stands in answers.
    public var json: JSONValue {
        .object([
            ("verifier", .string(verifier.rawValue)), ("month", .string(orNull: month?.description)),
            ("currency", .string(currency.code)), ("count", .integer(count)), ("amount", .string(amount.description)),
        ])
    }
}

/// Adds corrections up.
public struct AdjustmentSums: Sendable {
    private struct Key: Hashable {
        let verifier: String
        let month: BillingMonth?
        let currency: Currency
    }

    private var sums: [Key: (count: Int64, amount: ExactAmount)] = [:]

    /// Nothing.
    public init() {}

    /// Adds a correction.
    public mutating func add(_ amount: ExactAmount, _ currency: Currency, verifier: VerifierID, month: BillingMonth?) {
        let key = Key(verifier: verifier.rawValue, month: month, currency: currency)
        let before = sums[key] ?? (0, .zero)
        sums[key] = (before.count + 1, before.amount + amount)
    }

    /// The sums, by verifier, month and currency.
    public var list: [AdjustmentSum] {
        sums.map { key, sum in
            AdjustmentSum(
                verifier: VerifierID(key.verifier), month: key.month, currency: key.currency, count: sum.count,
                amount: sum.amount)
        }.sorted { Self.order($0) < Self.order($1) }
    }

    private static func order(_ sum: AdjustmentSum) -> (String, String, String) {
        (sum.verifier.rawValue, sum.month?.description ?? "", sum.currency.code)
    }
}
