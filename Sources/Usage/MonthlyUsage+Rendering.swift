import Billing
public import JSONTree
import VerificationCore

extension MonthlyUsage {
    /// The month as JSON: the members of ``UsageReport/json``, and beside them its state.
    public var json: JSONValue {
        let state: [(String, JSONValue)] = [
            ("state", .string(closing == nil ? "open" : "closed")), ("closing", closing.map(Self.json) ?? .null),
        ]
        let corrections: [(String, JSONValue)] = [
            ("adjustments", .array(adjustments.map(\.json))), ("late", .array(late.map(\.json))),
            ("late_unpriced", .integer(lateUnpriced)),
        ]
        guard case .object(let members) = report.json else { return .object(state + corrections) }
        return .object(state + members + corrections)
    }

    /// The month as comma-separated values: the report's lines, then the sums of what is corrected.
    public func csv(byteOrderMark: Bool = false) -> [UInt8] {
        report.csv(byteOrderMark: byteOrderMark, corrections: corrections)
    }

    /// The month as a table for a terminal.
    public func table() -> String {
        var words: [String] = []
        if let closing {
            let hash = ByteText.hex(closing.event.draft.statement ?? [])
            words.append(
                "closed \(RFC3339.text(closing.event.draft.at)) by \(closing.event.draft.actor ?? ""), statement \(hash)"
            )
            if closing.unsettled > 0 { words.append("unsettled when it was closed: \(closing.unsettled)") }
        } else {
            words.append("open")
        }
        if lateUnpriced > 0 { words.append("late and unpriced: \(lateUnpriced), in no amount above") }
        return report.table(corrections: corrections, notes: words)
    }

    private var corrections: [UsageReport.Correction] {
        adjustments.map { UsageReport.Correction(isLate: false, sum: $0) }
            + late.map { UsageReport.Correction(isLate: true, sum: $0) }
    }

    private static func json(_ closing: Closing) -> JSONValue {
        let draft = closing.event.draft
        return .object([
            ("sequence", .integer(closing.event.sequence)), ("at", .string(RFC3339.text(draft.at))),
            ("by", .string(orNull: draft.actor)), ("note", .string(orNull: draft.note)),
            ("statement", .string(orNull: draft.statement.map { ByteText.hex($0) })),
            ("unsettled", .integer(Int64(closing.unsettled))),
        ])
    }
}
