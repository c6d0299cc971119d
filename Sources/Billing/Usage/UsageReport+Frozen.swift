import JSONTree
import VerificationCore

extension UsageReport {
    /// Reads what ``json`` wrote; `nil` where a part is missing or means nothing.
    init?(frozen node: JSONNode) {
        guard let month = node["month"]?.string.flatMap({ BillingMonth($0) }), let book = node["price_book"]?.string,
            let by = node["by"]?.elements, let rowNodes = node["rows"]?.elements,
            let totalNodes = node["totals"]?.elements, let invoiceNodes = node["invoices"]?.elements,
            let unpriced = node["unpriced_verifiers"]?.elements
        else { return nil }
        let groupings = by.compactMap { $0.string.flatMap { UsageGrouping(rawValue: $0) } }
        let rows = rowNodes.compactMap { Row(frozen: $0, by: groupings) }
        let totals = totalNodes.compactMap { Row(frozen: $0, by: []) }
        let invoices = invoiceNodes.compactMap { VerifierInvoice(frozen: $0, month: month) }
        guard groupings.count == by.count, rows.count == rowNodes.count, totals.count == totalNodes.count,
            invoices.count == invoiceNodes.count
        else { return nil }
        self.init(
            month: month, book: book, groupings: groupings, rows: rows, totals: totals, invoices: invoices,
            unpricedVerifiers: unpriced.compactMap { $0.string.map { VerifierID($0) } })
    }

    /// The same month with other rows.
    func with(_ groupings: [UsageGrouping], rows: [Row]) -> UsageReport {
        UsageReport(
            month: month, book: book, groupings: groupings, rows: rows, totals: totals, invoices: invoices,
            unpricedVerifiers: unpricedVerifiers)
    }
}

extension UsageReport.Row {
    init?(frozen node: JSONNode, by groupings: [UsageGrouping]) {
        let key = groupings.compactMap { node[$0.rawValue]?.string }
        guard key.count == groupings.count, let role = node["role"]?.string.flatMap({ AttemptRole(rawValue: $0) }),
            let counts = UsageCounts(frozen: node), let sums = node["amounts"]?.elements
        else { return nil }
        var amounts: [Currency: ExactAmount] = [:]
        for sum in sums {
            guard let currency = sum["currency"]?.string.flatMap({ Currency($0) }),
                let amount = sum["amount"]?.string.flatMap({ ExactAmount($0) })
            else { return nil }
            amounts[currency] = amount
        }
        self.init(
            key: key, role: role, counts: counts, amounts: amounts,
            latency50: node["latency_p50_ms"]?.integer.map { UInt32(clamping: $0) },
            latency95: node["latency_p95_ms"]?.integer.map { UInt32(clamping: $0) })
    }

    /// The order of rows: by their keys, then by role.
    static func precedes(_ left: UsageReport.Row, _ right: UsageReport.Row) -> Bool {
        if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        let order: [AttemptRole] = [.primary, .fallback, .shadow]
        return (order.firstIndex(of: left.role) ?? 0) < (order.firstIndex(of: right.role) ?? 0)
    }
}

extension UsageCounts {
    init?(frozen node: JSONNode) {
        let values = UsageColumns.counts.compactMap { node[$0]?.integer }
        guard values.count == UsageColumns.counts.count else { return nil }
        self.init()
        attempts = values[0]
        verified = values[1]
        rejected = values[2]
        failed = values[3]
        uncertain = values[4]
        billable = values[5]
        unpriced = values[6]
    }
}

extension UsageReport.VerifierInvoice {
    init?(frozen node: JSONNode, month: BillingMonth) {
        guard let verifier = node["verifier"]?.string,
            let currency = node["currency"]?.string.flatMap({ Currency($0) }),
            let lineNodes = node["lines"]?.elements, let taxes = node["taxes"]?.elements,
            let flatFee = node["flat_fee"]?.string.flatMap({ ExactAmount($0) }),
            let topUp = node["top_up"]?.string.flatMap({ ExactAmount($0) }), let unpriced = node["unpriced"]?.integer
        else { return nil }
        let lines = lineNodes.compactMap { Invoice.Line(frozen: $0) }
        let parts = taxes.compactMap { Invoice.TaxedPart(frozen: $0, currency: currency) }
        guard lines.count == lineNodes.count, parts.count == taxes.count else { return nil }
        self.init(
            verifier: VerifierID(verifier),
            invoice: Invoice(
                currency: currency, month: month, lines: lines, unpricedCount: unpriced, flatFee: flatFee,
                topUp: topUp, parts: parts))
    }
}

extension Invoice.Line {
    init?(frozen node: JSONNode) {
        guard let billableClass = node["class"]?.string.flatMap({ BillableClass(rawValue: $0) }),
            let tariff = node["tariff"]?.integer, let isFree = node["free"]?.boolean,
            let quantity = node["quantity"]?.integer, let unit = node["unit"]?.string.flatMap({ ExactAmount($0) })
        else { return nil }
        self.init(
            billableClass: billableClass, tariff: Int(tariff), step: node["step"]?.integer.map { Int($0) },
            isFree: isFree, quantity: quantity, unit: unit)
    }
}

extension Invoice.TaxedPart {
    init?(frozen node: JSONNode, currency: Currency) {
        guard let rate = node["rate"]?.string.flatMap({ TaxRate($0) }),
            let net = node["net"]?.string.flatMap({ ExactAmount($0) }),
            let tax = node["tax"]?.string.flatMap({ ExactAmount($0) })
        else { return nil }
        // They were written in whole minor units, so nothing is rounded here.
        self.init(
            rate: rate, net: net.minorUnits(of: currency, .down), tax: tax.minorUnits(of: currency, .down))
    }
}

extension JSONNode {
    /// A whole number; `nil` for any other value.
    var integer: Int64? {
        if case .number(let number) = kind { Int64(number.text) } else { nil }
    }

    /// A boolean; `nil` for any other value.
    var boolean: Bool? {
        if case .boolean(let flag) = kind { flag } else { nil }
    }
}
