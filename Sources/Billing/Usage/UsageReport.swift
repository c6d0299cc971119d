public import VerificationCore

/// Usage of a month: what was done, and what it should cost.
public struct UsageReport: Sendable {
    /// A row: calls that share the values of the groupings, and the role.
    public struct Row: Sendable {
        /// The values, in the order of the report's groupings.
        public let key: [String]
        /// The role: a fallback and a shadow are shown apart.
        public let role: AttemptRole
        /// The counts.
        public let counts: UsageCounts
        /// The exact amounts before tax, by currency. What has no price is in none of them.
        public let amounts: [Currency: ExactAmount]
        /// Half of the submissions took no longer than this, in milliseconds.
        public let latency50: UInt32?
        /// So long took 95 in a hundred at most.
        public let latency95: UInt32?

        /// What a verified session cost, by currency; `nil` where none was verified.
        public func costPerVerified(in currency: Currency) -> String? {
            guard let amount = amounts[currency], counts.verified > 0 else { return nil }
            return amount.divided(by: counts.verified, digits: currency.minorDigits + 2)
        }
    }

    /// What one verifier's provider should ask for.
    public struct VerifierInvoice: Sendable {
        /// The verifier.
        public let verifier: VerifierID
        /// Its invoice.
        public let invoice: Invoice
    }

    /// The month.
    public let month: BillingMonth
    /// The price book's name.
    public let book: String
    /// What the rows are by.
    public let groupings: [UsageGrouping]
    /// The rows, in the order of their keys, then of the roles.
    public let rows: [Row]
    /// All rows of a role together, in the order of the roles; roles without a call are left out.
    public let totals: [Row]
    /// The invoices, in the order of the verifiers' names; verifiers without prices have none.
    public let invoices: [VerifierInvoice]
    /// Verifiers that have calls and no prices at all.
    public let unpricedVerifiers: [VerifierID]

    /// Everything that a report can be by, in the order in which a statement freezes it.
    public static let everyGrouping: [UsageGrouping] = [.verifier, .client, .purpose, .day]

    /// The sums of the invoices in minor units, by currency.
    public var sums: [(currency: Currency, net: Int64, tax: Int64, total: Int64)] {
        Dictionary(grouping: invoices, by: \.invoice.currency).map { currency, invoices in
            let net = invoices.reduce(Int64(0)) { $0.addingMinorUnits($1.invoice.net) }
            let tax = invoices.reduce(Int64(0)) { $0.addingMinorUnits($1.invoice.tax) }
            return (currency, net, tax, net.addingMinorUnits(tax))
        }.sorted { $0.currency.code < $1.currency.code }
    }
}

extension ExactAmount {
    /// The quotient with so many digits after the point, a half rounded away from zero.
    func divided(by count: Int64, digits: Int) -> String {
        var unit = ExactAmount.scale
        for _ in 0..<min(digits, ExactAmount.fractionDigits) { unit /= 10 }
        let rounded = Rounding.halfUp.quotient(millionths, by: Int128(count) * unit) * unit
        return ExactAmount(scaled: rounded).description
    }
}
