import VerificationCore

/// The columns of a usage report, the same in every form that it is given in.
enum UsageColumns {
    static let counts = ["attempts", "verified", "rejected", "failed", "uncertain", "billable", "unpriced"]
    static let money = ["currency", "amount", "tax", "total", "cost_per_verified"]
    static let latencies = ["latency_p50_ms", "latency_p95_ms"]

    static func head(_ groupings: [UsageGrouping]) -> [String] {
        ["kind"] + groupings.map(\.rawValue) + ["month", "role"] + counts + money + latencies
    }

    static func values(_ counts: UsageCounts) -> [Int64] {
        [
            counts.attempts, counts.verified, counts.rejected, counts.failed, counts.uncertain, counts.billable,
            counts.unpriced,
        ]
    }
}

/// A line of a report as cells: what rows, terms and invoices look like side by side.
///
/// `usage` lines hold exact amounts before tax; `terms` lines hold the flat fee and the top-up to a minimum, which belong
/// to no group; `invoice` lines hold what each provider should ask for, in whole minor units, with its tax; `sum` lines
/// add those up by currency. `adjustment` and `late` lines hold what is corrected of a month, exactly and before tax.
struct UsageLine {
    enum Kind: String {
        case usage, terms, invoice, sum, adjustment, late
    }

    var kind: Kind
    var key: [String]
    /// The month that it is about, where that is another than the report's.
    var month: BillingMonth?
    var role: AttemptRole?
    var counts: UsageCounts?
    var currency: Currency?
    var amount: String?
    var tax: String?
    var total: String?
    var costPerVerified: String?
    var latency50: UInt32?
    var latency95: UInt32?

    init(_ kind: Kind, key: [String]) {
        self.kind = kind
        self.key = key
    }
}

extension UsageReport {
    /// What is corrected in a month, as a line beside its own.
    public struct Correction: Sendable {
        /// Whether it is still to be written.
        public let isLate: Bool
        /// The sum.
        public let sum: AdjustmentSum

        /// A correction.
        public init(isLate: Bool, sum: AdjustmentSum) {
            self.isLate = isLate
            self.sum = sum
        }
    }

    func line(_ correction: Correction) -> UsageLine {
        var line = UsageLine(correction.isLate ? .late : .adjustment, key: key(of: correction.sum.verifier))
        line.month = correction.sum.month
        line.currency = correction.sum.currency
        line.amount = correction.sum.amount.description
        return line
    }

    var lines: [UsageLine] {
        rows.flatMap(lines) + termsLines + invoiceLines
            + sums.map { sum in
                var line = UsageLine(.sum, key: groupings.map { _ in "" })
                line.currency = sum.currency
                line.amount = sum.currency.text(minorUnits: sum.net)
                line.tax = sum.currency.text(minorUnits: sum.tax)
                line.total = sum.currency.text(minorUnits: sum.total)
                return line
            }
    }

    /// A row as one line for each currency, with its counts in the first: two lines with the same counts would be read
    /// as twice as many.
    private func lines(_ row: Row) -> [UsageLine] {
        var first = UsageLine(.usage, key: row.key)
        first.role = row.role
        first.counts = row.counts
        first.latency50 = row.latency50
        first.latency95 = row.latency95
        let amounts = row.amounts.sorted { $0.key.code < $1.key.code }
        guard !amounts.isEmpty else { return [first] }
        return amounts.enumerated().map { index, amount in
            var line = index == 0 ? first : UsageLine(.usage, key: row.key)
            line.role = row.role
            line.currency = amount.key
            line.amount = amount.value.description
            line.costPerVerified = row.costPerVerified(in: amount.key)
            return line
        }
    }

    private var termsLines: [UsageLine] {
        invoices.compactMap { entry in
            let terms = entry.invoice.flatFee + entry.invoice.topUp
            guard terms != .zero else { return nil }
            var line = UsageLine(.terms, key: key(of: entry.verifier))
            line.currency = entry.invoice.currency
            line.amount = terms.description
            return line
        }
    }

    private var invoiceLines: [UsageLine] {
        invoices.map { entry in
            let currency = entry.invoice.currency
            var line = UsageLine(.invoice, key: key(of: entry.verifier))
            line.currency = currency
            line.amount = currency.text(minorUnits: entry.invoice.net)
            line.tax = currency.text(minorUnits: entry.invoice.tax)
            line.total = currency.text(minorUnits: entry.invoice.total)
            return line
        }
    }

    /// The verifier stands in its own column, or in the first where rows are not by verifier.
    private func key(of verifier: VerifierID) -> [String] {
        let place = groupings.firstIndex(of: .verifier) ?? 0
        return groupings.indices.map { $0 == place ? verifier.rawValue : "" }
    }
}
