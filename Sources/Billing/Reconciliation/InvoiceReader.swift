import VerificationCore

/// Reads a provider's invoice by its format. Nothing is skipped in silence: a line that cannot be read is a problem.
public struct InvoiceReader: Sendable {
    /// What is wrong with a file.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kinds of fault.
        public enum Code: String, Sendable, CaseIterable, Hashable {
            case notInEncoding = "not_in_encoding"
            case tooLarge = "too_large"
            case tooManyLines = "too_many_lines"
            case notCSV = "not_csv"
            case columnMissing = "column_missing"
            case columnTwice = "column_twice"
            case cellMissing = "cell_missing"
            case cellUnnamed = "cell_unnamed"
            case timeUnreadable = "time_unreadable"
            case amountUnreadable = "amount_unreadable"
            case quantityUnreadable = "quantity_unreadable"
            case classUnknown = "class_unknown"
            case referenceMissing = "reference_missing"
        }

        /// The kind.
        public let code: Code
        /// The line of the file, from 1.
        public let line: Int
        /// The column's name, or the cell that is not understood where it is short.
        public let detail: String

        /// All three in words.
        public var description: String {
            "line \(line): \(code.rawValue)" + (detail.isEmpty ? "" : " (\(detail))")
        }
    }

    /// The problems of a file: all of them, up to a bound.
    public struct Problems: Error, Sendable, Hashable {
        /// The problems, in the order of the lines.
        public let list: [Problem]
    }

    /// The largest file: two million lines of a usual width.
    public static let largestFile = 256 << 20
    /// The most lines.
    public static let mostLines = 2_000_000
    /// As many problems as a person wants to read at once.
    static let mostProblems = 100
    /// A trillion: more is on no line of an invoice, and the difference of two such still has room in the ledger.
    private static let largestAmount = ExactAmount(millionths: 1_000_000_000_000 * 1_000_000)
    /// As much of a cell as a message shows.
    static let longestDetail = 40

    /// Reads a file.
    public static func read(_ file: [UInt8], as format: InvoiceFormat) throws(Problems) -> [InvoiceLine] {
        guard file.count <= largestFile else { throw Problems(.tooLarge, line: 1, "") }
        guard let text = format.encoding.decode(file) else {
            throw Problems(.notInEncoding, line: 1, format.encoding.rawValue)
        }
        var reader = CSVReader(text, separator: format.separator)
        for _ in 0..<format.linesBefore { _ = try record(&reader) }
        let headLine = reader.line
        guard let head = try record(&reader) else { throw Problems(.columnMissing, line: headLine, format.time.column) }
        let columns = try Columns(head, line: headLine, format)
        var days = ZoneDays(format.time.zone)
        var lines: [InvoiceLine] = []
        var problems: [Problem] = []
        while problems.count < mostProblems {
            let number = reader.line
            guard let cells = try record(&reader) else { break }
            // Spreadsheet programs end a table with lines of nothing.
            if cells.allSatisfy({ $0.isEmpty }) { continue }
            guard lines.count < mostLines else { throw Problems(.tooManyLines, line: number, "") }
            do throws(Problem) {
                lines.append(try columns.line(cells, number: number, format, &days))
            } catch {
                problems.append(error)
            }
        }
        guard problems.isEmpty else { throw Problems(list: problems) }
        return lines
    }

    /// Whether an amount can be one of an invoice's line.
    fileprivate static func holds(_ amount: ExactAmount) -> Bool {
        amount <= largestAmount && .zero - amount <= largestAmount
    }

    private static func record(_ reader: inout CSVReader) throws(Problems) -> [String]? {
        do {
            return try reader.next()
        } catch {
            throw Problems(.notCSV, line: error.line, error.code.rawValue)
        }
    }
}

extension InvoiceReader.Problems {
    init(_ code: InvoiceReader.Problem.Code, line: Int, _ detail: String) {
        self.init(list: [InvoiceReader.Problem(code: code, line: line, detail: detail)])
    }
}

/// Where the columns of a file are.
private struct Columns {
    let time: Int
    let reference: Int?
    let ownReference: Int?
    let billableClass: Int?
    let quantity: Int?
    let amount: Int?
    /// How many columns have a name or, before one that has, could have one.
    let count: Int

    init(_ head: [String], line: Int, _ format: InvoiceFormat) throws(InvoiceReader.Problems) {
        func place(_ name: String) throws(InvoiceReader.Problems) -> Int {
            guard let first = head.firstIndex(of: name) else {
                throw InvoiceReader.Problems(.columnMissing, line: line, name)
            }
            guard head.lastIndex(of: name) == first else {
                throw InvoiceReader.Problems(.columnTwice, line: line, name)
            }
            return first
        }
        func optionalPlace(_ name: String?) throws(InvoiceReader.Problems) -> Int? {
            guard let name else { return nil }
            return try place(name)
        }
        count = head.count
        time = try place(format.time.column)
        reference = try optionalPlace(format.reference)
        ownReference = try optionalPlace(format.ownReference)
        billableClass = try optionalPlace(format.billableClass?.column)
        quantity = try optionalPlace(format.quantity)
        amount = try optionalPlace(format.amount)
    }

    func line(
        _ cells: [String], number: Int, _ format: InvoiceFormat, _ days: inout ZoneDays
    ) throws(InvoiceReader.Problem) -> InvoiceLine {
        func problem(_ code: InvoiceReader.Problem.Code, _ detail: String) -> InvoiceReader.Problem {
            InvoiceReader.Problem(code: code, line: number, detail: String(detail.prefix(InvoiceReader.longestDetail)))
        }
        func cell(_ place: Int?) throws(InvoiceReader.Problem) -> String? {
            guard let place else { return nil }
            guard place < cells.count else { throw problem(.cellMissing, "column \(place + 1)") }
            return cells[place].isEmpty ? nil : cells[place]
        }
        // A comma that separates thousands, in a cell without quotes, is a cell too many: the amount before it is none.
        if let place = cells.indices.dropFirst(count).first(where: { !cells[$0].isEmpty }) {
            throw problem(.cellUnnamed, cells[place])
        }
        let timeText = try cell(time) ?? ""
        guard let time = format.time.pattern.time(timeText, in: &days) else {
            throw problem(.timeUnreadable, timeText)
        }
        let (reference, own) = (try cell(reference), try cell(ownReference))
        guard reference != nil || own != nil else { throw problem(.referenceMissing, "") }
        var kind: BillableClass?
        if let classes = format.billableClass {
            let text = try cell(billableClass) ?? ""
            guard let known = classes.values[text] else { throw problem(.classUnknown, text) }
            kind = known
        }
        var count: Int64 = 1
        if let text = try cell(quantity) {
            guard let value = Int64(text), value > 0 else { throw problem(.quantityUnreadable, text) }
            count = value
        }
        var sum: ExactAmount?
        if let text = try cell(amount) {
            guard let value = ExactAmount(text) ?? AmountText.amount(text), InvoiceReader.holds(value) else {
                throw problem(.amountUnreadable, text)
            }
            sum = value
        }
        return InvoiceLine(
            line: number, reference: reference, ownReference: own, time: time, billableClass: kind, quantity: count,
            amount: sum)
    }
}
