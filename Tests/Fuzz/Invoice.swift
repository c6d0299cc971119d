import Billing

/// Any bytes as a provider's invoice: every line is read or named, none is made up, and what is written of its cells
/// again is the same cells, with none that a spreadsheet program would run.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInvoice(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    precondition(FuzzInvoice.formats.count == FuzzInvoice.texts.count)
    guard let format = FuzzInvoice.format(of: input) else { return 0 }
    let file = Array(input.dropFirst())
    do throws(InvoiceReader.Problems) {
        let lines = try InvoiceReader.read(file, as: format)
        precondition(lines.count <= file.count { $0 == 0x0A || $0 == 0x0D } + 1)
        precondition(zip(lines, lines.dropFirst()).allSatisfy { $0.line < $1.line })
        precondition(lines.allSatisfy { $0.line > 1 && $0.quantity > 0 })
        precondition(lines.allSatisfy { $0.reference != nil || $0.ownReference != nil })
    } catch {
        precondition(!error.list.isEmpty)
        precondition(error.list.allSatisfy { $0.line >= 1 && $0.detail.count <= 80 })
    }
    writeAgain(file, format)
    return 0
}

private func writeAgain(_ file: [UInt8], _ format: InvoiceFormat) {
    guard let text = format.encoding.decode(file) else { return }
    var reader = CSVReader(text, separator: format.separator)
    while let cells = try? reader.next() {
        // With a mark in front, one in the first cell is the cell's.
        var writer = CSVWriter(byteOrderMark: true)
        writer.line(cells.map { .text($0) })
        var again = CSVReader(writer.take())
        guard let read = try? again.next() else { preconditionFailure("a written line cannot be read") }
        precondition(read.count == cells.count && (try? again.next()) == .some(nil))
        for (cell, back) in zip(cells, read) {
            precondition(back == cell || back == "'" + cell)
            precondition(!["=", "+", "-", "@"].contains { back.hasPrefix($0) })
        }
    }
}
