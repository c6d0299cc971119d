import VerificationCore

extension UsageReport {
    /// The report as comma-separated values.
    public func csv(byteOrderMark: Bool = false, corrections: [Correction] = []) -> [UInt8] {
        var writer = CSVWriter(byteOrderMark: byteOrderMark)
        writer.line(UsageColumns.head(groupings).map { .text($0) })
        for line in lines + corrections.map(line) {
            var cells: [CSVWriter.Cell] = [.text(line.kind.rawValue)] + line.key.map { .text($0) }
            cells.append(.text((line.month ?? month).description))
            cells.append(line.role.map { .text($0.rawValue) } ?? .empty)
            let counts = line.counts.map(UsageColumns.values)
            for index in UsageColumns.counts.indices {
                cells.append(counts.map { .number(String($0[index])) } ?? .empty)
            }
            cells.append(line.currency.map { .text($0.code) } ?? .empty)
            for text in [line.amount, line.tax, line.total, line.costPerVerified] {
                cells.append(text.map { .number($0) } ?? .empty)
            }
            for latency in [line.latency50, line.latency95] {
                cells.append(latency.map { .number(String($0)) } ?? .empty)
            }
            writer.line(cells)
        }
        return writer.bytes
    }
}
