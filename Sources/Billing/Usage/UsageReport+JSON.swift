public import JSONTree
import VerificationCore

extension UsageReport {
    /// The report as JSON. Counts are numbers; every amount is a decimal in a string.
    public var json: JSONValue {
        .object([
            ("month", .string(month.description)), ("price_book", .string(book)),
            ("by", .array(groupings.map { .string($0.rawValue) })),
            ("rows", .array(rows.map { Self.json($0, by: groupings) })),
            ("totals", .array(totals.map { Self.json($0, by: []) })),
            ("invoices", .array(invoices.map { Self.json($0) })),
            (
                "sums",
                .array(
                    sums.map { sum in
                        .object([
                            ("currency", .string(sum.currency.code)),
                            ("net", .string(sum.currency.text(minorUnits: sum.net))),
                            ("tax", .string(sum.currency.text(minorUnits: sum.tax))),
                            ("total", .string(sum.currency.text(minorUnits: sum.total))),
                        ])
                    })
            ),
            ("unpriced_verifiers", .array(unpricedVerifiers.map { .string($0.rawValue) })),
        ])
    }

    static func json(_ row: Row, by groupings: [UsageGrouping]) -> JSONValue {
        var members: [(String, JSONValue)] = zip(groupings, row.key).map { ($0.rawValue, .string($1)) }
        members.append(("role", .string(row.role.rawValue)))
        members += zip(UsageColumns.counts, UsageColumns.values(row.counts)).map { ($0, .integer($1)) }
        let amounts = row.amounts.sorted { $0.key.code < $1.key.code }
        members.append(
            (
                "amounts",
                .array(
                    amounts.map { currency, amount in
                        .object([
                            ("currency", .string(currency.code)), ("amount", .string(amount.description)),
                            ("cost_per_verified", row.costPerVerified(in: currency).map { .string($0) } ?? .null),
                        ])
                    })
            ))
        members.append(("latency_p50_ms", row.latency50.map { .integer(Int64($0)) } ?? .null))
        members.append(("latency_p95_ms", row.latency95.map { .integer(Int64($0)) } ?? .null))
        return .object(members)
    }

    private static func json(_ entry: VerifierInvoice) -> JSONValue {
        let invoice = entry.invoice
        let currency = invoice.currency
        return .object([
            ("verifier", .string(entry.verifier.rawValue)), ("currency", .string(currency.code)),
            (
                "lines",
                .array(
                    invoice.lines.map { line in
                        .object([
                            ("class", .string(line.billableClass.rawValue)), ("tariff", .integer(Int64(line.tariff))),
                            ("step", line.step.map { .integer(Int64($0)) } ?? .null), ("free", .boolean(line.isFree)),
                            ("quantity", .integer(line.quantity)), ("unit", .string(line.unit.description)),
                            ("amount", .string(line.amount.description)),
                        ])
                    })
            ),
            ("flat_fee", .string(invoice.flatFee.description)), ("top_up", .string(invoice.topUp.description)),
            (
                "taxes",
                .array(
                    invoice.parts.map { part in
                        .object([
                            ("rate", .string(part.rate.description)),
                            ("net", .string(currency.text(minorUnits: part.net))),
                            ("tax", .string(currency.text(minorUnits: part.tax))),
                        ])
                    })
            ),
            ("unpriced", .integer(invoice.unpricedCount)),
            ("net", .string(currency.text(minorUnits: invoice.net))),
            ("tax", .string(currency.text(minorUnits: invoice.tax))),
            ("total", .string(currency.text(minorUnits: invoice.total))),
        ])
    }
}
