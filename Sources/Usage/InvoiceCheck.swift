public import Billing
public import JSONTree
public import VerificationCore

/// An invoice beside the ledger.
public struct InvoiceCheck: Sendable {
    /// Whose invoice.
    public let verifier: VerifierID
    /// How many lines it has.
    public let lines: Int
    /// The currency, where the price book knows it.
    public let currency: Currency?
    /// What was found.
    public let reconciliation: Reconciliation

    /// The month.
    public var month: BillingMonth { reconciliation.month }

    /// The totals, and every finding that is not `matched`; with `all`, those too.
    public func json(all: Bool = false) -> JSONValue {
        .object([
            ("verifier", .string(verifier.rawValue)), ("month", .string(month.description)),
            ("lines", .integer(lines)), ("currency", .string(orNull: currency?.code)),
            ("clean", .boolean(reconciliation.isClean)),
            (
                "totals",
                .array(
                    reconciliation.totals.map { total in
                        .object([
                            ("class", .string(total.kind.rawValue)), ("count", .integer(total.count)),
                            ("difference", .string(orNull: total.difference?.description)),
                        ])
                    })
            ),
            (
                "findings",
                .array(reconciliation.findings.filter { all || $0.kind != .matched }.map { Self.json($0) })
            ),
        ])
    }

    private static func json(_ finding: Reconciliation.Finding) -> JSONValue {
        .object([
            ("class", .string(finding.kind.rawValue)),
            ("difference", .string(orNull: finding.difference?.description)),
            ("line", finding.line.map(json) ?? .null), ("call", finding.call.map(json) ?? .null),
        ])
    }

    private static func json(_ line: InvoiceLine) -> JSONValue {
        .object([
            ("line", .integer(line.line)), ("reference", .string(orNull: line.reference)),
            ("own_reference", .string(orNull: line.ownReference)), ("time", .string(RFC3339.text(line.time))),
            ("class", .string(orNull: line.billableClass?.rawValue)), ("quantity", .integer(line.quantity)),
            ("amount", .string(orNull: line.amount?.description)),
        ])
    }

    private static func json(_ call: BilledCall) -> JSONValue {
        .object([
            ("sequence", .integer(call.sequence)), ("attempt", .string(call.attempt)),
            ("session", .string(call.session)), ("reference", .string(orNull: call.reference)),
            ("time", .string(RFC3339.text(call.time))), ("month", .string(call.month.description)),
            ("class", .string(call.billableClass.rawValue)), ("quantity", .integer(call.quantity)),
            ("amount", .string(orNull: call.amount?.description)),
        ])
    }

    /// The differences as comma-separated values, a finding a line.
    public func csv(all: Bool = false, byteOrderMark: Bool = false) -> [UInt8] {
        var writer = CSVWriter(byteOrderMark: byteOrderMark)
        writer.line(Self.columns.map { .text($0) })
        for finding in reconciliation.findings where all || finding.kind != .matched {
            let (line, call) = (finding.line, finding.call)
            writer.line([
                .text(finding.kind.rawValue), Self.number(finding.difference?.description),
                .text(currency?.code ?? ""), Self.number(line.map { String($0.line) }), Self.text(line?.reference),
                Self.text(line?.ownReference), Self.text(line.map { RFC3339.text($0.time) }),
                Self.text(line?.billableClass?.rawValue), Self.number(line.map { String($0.quantity) }),
                Self.number(line?.amount?.description), Self.number(call.map { String($0.sequence) }),
                Self.text(call?.attempt), Self.text(call?.session), Self.text(call?.reference),
                Self.text(call.map { RFC3339.text($0.time) }), Self.text(call?.month.description),
                Self.text(call?.billableClass.rawValue), Self.number(call.map { String($0.quantity) }),
                Self.number(call?.amount?.description),
            ])
        }
        return writer.bytes
    }

    private static let columns = [
        "class", "difference", "currency", "invoice_line", "invoice_reference", "invoice_own_reference",
        "invoice_time", "invoice_class", "invoice_quantity", "invoice_amount", "sequence", "attempt", "session",
        "reference", "time", "month", "billed_as", "quantity", "amount",
    ]

    private static func text(_ text: String?) -> CSVWriter.Cell { text.map { .text($0) } ?? .empty }
    private static func number(_ text: String?) -> CSVWriter.Cell { text.map { .number($0) } ?? .empty }

    /// The totals as lines for a terminal.
    public func summary() -> String {
        let unit = currency.map { " \($0.code)" } ?? ""
        let totals = reconciliation.totals.filter { $0.count > 0 }.map { total in
            let name = total.kind.rawValue.padded(to: 20)
            let difference = total.difference.map { "\($0)\(unit)" } ?? "unknown"
            return "  \(name)\(String(total.count).padded(to: 9))\(total.kind == .matched ? "" : difference)"
        }
        let head =
            "invoice of \(verifier) for \(month): \(lines) lines, "
            + (reconciliation.isClean ? "every one agrees" : "not all of them agree")
        return ([head] + totals.map { $0.trimmedEnd() }).joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - utf8.count))
    }

    fileprivate func trimmedEnd() -> String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
