public import JSONTree
public import VerificationCore

/// A statement read back from the bytes that were kept: a closed month is shown from it and never computed again.
public struct FrozenStatement: Sendable {
    /// The month by verifier.
    public let report: UsageReport
    /// The rows by ``UsageReport/everyGrouping``.
    let detail: [UsageReport.Row]
    /// When it was closed.
    public let closedAt: Timestamp
    /// By whom.
    public let actor: String
    /// The adjustments, as they stand in the statement.
    public let adjustments: [JSONValue]
    /// Their exact sums by verifier, month and currency.
    public let adjustmentSums: [AdjustmentSum]
    /// How many calls were open or uncertain when it was closed.
    public let unsettled: Int

    /// The largest statement: a month by verifier, client, purpose and day has thousands of rows of a few hundred bytes.
    static let limits = JSONLimits(bytes: 256 << 20, depth: 16, values: 50_000_000)

    /// Reads a statement; `nil` where it is none of ours.
    public init?(_ bytes: [UInt8]) {
        guard let root = try? JSONNode.parse(bytes, syntax: .json, limits: Self.limits),
            let layout = root["layout"]?.string, [Statement.layout, Statement.firstLayout].contains(layout),
            let report = root["report"].flatMap(UsageReport.init(frozen:)),
            let closedAt = root["closed_at"]?.string.flatMap({ RFC3339.timestamp($0) }),
            let actor = root["closed_by"]?.string, let detailed = root["detail"]?.elements,
            let adjustments = root["adjustments"]?.elements, let unsettled = root["unsettled"]?.elements
        else { return nil }
        let detail = detailed.compactMap { UsageReport.Row(frozen: $0, by: UsageReport.everyGrouping) }
        guard detail.count == detailed.count else { return nil }
        self.report = report
        self.detail = detail
        self.closedAt = closedAt
        self.actor = actor
        self.adjustments = adjustments.map { JSONValue($0) }
        var sums = AdjustmentSums()
        for entry in adjustments {
            guard let amount = entry["amount"]?.string.flatMap({ ExactAmount($0) }),
                let currency = entry["currency"]?.string.flatMap({ Currency($0) })
            else { continue }
            sums.add(
                amount, currency, verifier: VerifierID(entry["verifier"]?.string ?? ""),
                month: entry["month"]?.string.flatMap { BillingMonth($0) })
        }
        adjustmentSums = sums.list
        self.unsettled = unsettled.count
    }

    /// The prices that a statement's month was closed by, read without the rest of it; `nil` where they are not there.
    public static func prices(of bytes: [UInt8]) -> PriceBook? {
        guard bytes.starts(with: Statement.headOfPrices) else { return nil }
        let start = Statement.headOfPrices.count
        guard let end = endOfObject(in: bytes, from: start),
            let node = try? JSONNode.parse(Array(bytes[start..<end]), syntax: .json, limits: .standard)
        else { return nil }
        return PriceBook(frozen: node)
    }

    /// The index after an object's closing brace: braces within texts are none.
    private static func endOfObject(in bytes: [UInt8], from start: Int) -> Int? {
        var (depth, isInText, isEscaped) = (0, false, false)
        for index in start..<bytes.count {
            let byte = bytes[index]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default:
                if depth == 0 { return nil }
            }
        }
        return nil
    }

    /// The month by other groupings. Latencies are those of the whole by verifier: percentiles cannot be added up.
    public func report(by groupings: [UsageGrouping]) -> UsageReport {
        guard groupings != report.groupings else { return report }
        guard !groupings.isEmpty else { return report.with(groupings, rows: report.totals) }
        let places = groupings.compactMap { UsageReport.everyGrouping.firstIndex(of: $0) }
        struct Key: Hashable {
            let values: [String]
            let role: AttemptRole
        }
        let grouped = Dictionary(grouping: detail) { row in
            Key(values: places.map { row.key[$0] }, role: row.role)
        }
        let rows = grouped.map { key, rows in
            var amounts: [Currency: ExactAmount] = [:]
            for row in rows {
                for (currency, amount) in row.amounts { amounts[currency, default: .zero] += amount }
            }
            return UsageReport.Row(
                key: key.values, role: key.role, counts: rows.reduce(UsageCounts()) { $0 + $1.counts },
                amounts: amounts, latency50: nil, latency95: nil)
        }
        return report.with(groupings, rows: rows.sorted(by: UsageReport.Row.precedes))
    }
}

extension JSONValue {
    /// A tree that was read, to be written again as it was.
    init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .number: self = node.integer.map { .integer($0) } ?? .null
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let members): self = .object(members.map { ($0.name, JSONValue($0.value)) })
        }
    }
}
