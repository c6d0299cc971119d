import VerificationCore

extension UsageReport {
    /// The report as a table for a terminal. Columns are as wide as their widest cell; a cell of full-width characters
    /// takes two places for each.
    public func table(corrections: [Correction] = [], notes more: [String] = []) -> String {
        let head = UsageColumns.head(groupings)
        var rows = [head]
        for line in lines + corrections.map(line) {
            let counts = line.counts.map { UsageColumns.values($0).map { String($0) } }
            rows.append(
                [line.kind.rawValue] + line.key + [(line.month ?? month).description, line.role?.rawValue ?? ""]
                    + (counts ?? UsageColumns.counts.map { _ in "" })
                    + [
                        line.currency?.code ?? "", line.amount ?? "", line.tax ?? "", line.total ?? "",
                        line.costPerVerified ?? "", line.latency50.map { String($0) } ?? "",
                        line.latency95.map { String($0) } ?? "",
                    ])
        }
        let firstNumber = groupings.count + 3
        let currency = firstNumber + UsageColumns.counts.count
        let widths = head.indices.map { column in rows.map { Self.width($0[column]) }.max() ?? 0 }
        let text = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - Self.width(cell))
                return column >= firstNumber && column != currency ? blanks + cell : cell + blanks
            }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
        return ([title] + text + more + notes).joined(separator: "\n") + "\n"
    }

    private var title: String { "usage of \(month), price book \(book)" }

    private var notes: [String] {
        var notes: [String] = []
        if !unpricedVerifiers.isEmpty {
            notes.append("without any price: " + unpricedVerifiers.map(\.rawValue).joined(separator: ", "))
        }
        let unpriced = totals.reduce(0) { $0 + $1.counts.unpriced }
        if unpriced > 0 { notes.append("unpriced: \(unpriced), in no amount above") }
        let uncertain = totals.reduce(0) { $0 + $1.counts.uncertain }
        if uncertain > 0 { notes.append("uncertain: \(uncertain), which may have billed and are in no amount above") }
        return notes
    }

    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ((0x1100...0xFF60).contains($1.value) && $1.value >= 0x2E80 ? 2 : 1) }
    }
}
