/// Reads comma-separated values as RFC 4180 has them, and a little more kindly: lines may end with LF alone.
public struct CSVReader: Sendable {
    /// What is wrong with a text, and in which line.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kinds of fault.
        public enum Code: String, Sendable, CaseIterable, Hashable {
            /// A quoted cell has no end.
            case quoteOpen = "quote_open"
            /// Something stands between a closing quote and the next comma.
            case quoteBroken = "quote_broken"
            /// A quote inside a cell that is not quoted.
            case quoteStray = "quote_stray"
            /// A cell is longer than is sensible.
            case cellTooLong = "cell_too_long"
            /// A line has more cells than is sensible.
            case tooManyCells = "too_many_cells"
        }

        /// The kind.
        public let code: Code
        /// The line of the text, from 1.
        public let line: Int

        /// The line and the kind.
        public var description: String { "line \(line): \(code.rawValue)" }
    }

    /// The longest cell in bytes: an invoice's cells are names and numbers.
    static let longestCell = 16_384
    /// The most cells in a line.
    static let mostCells = 256

    private let bytes: [UInt8]
    private let separator: UInt8
    private var index = 0
    /// The line that the next record begins on, from 1.
    public private(set) var line = 1

    /// A reader of UTF-8 text; a byte order mark is skipped.
    public init(_ bytes: [UInt8], separator: Unicode.Scalar = ",") {
        self.bytes = bytes
        self.separator = separator.isASCII ? UInt8(separator.value) : UInt8(ascii: ",")
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next record; `nil` at the end. A line without anything is a record of one empty cell.
    public mutating func next() throws(Problem) -> [String]? {
        guard index < bytes.count else { return nil }
        var cells: [String] = []
        let first = line
        while true {
            guard cells.count < Self.mostCells else { throw Problem(code: .tooManyCells, line: first) }
            let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            cells.append(isQuoted ? try quoted() : try plain())
            guard index < bytes.count else { return cells }
            if bytes[index] == separator {
                index += 1
                continue
            }
            if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
            index += 1
            line += 1
            return cells
        }
    }

    private mutating func plain() throws(Problem) -> String {
        let start = index
        while index < bytes.count, bytes[index] != separator, bytes[index] != 0x0A, !isLineEnd {
            if bytes[index] == UInt8(ascii: "\"") { throw Problem(code: .quoteStray, line: line) }
            index += 1
        }
        guard index - start <= Self.longestCell else { throw Problem(code: .cellTooLong, line: line) }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// A CR that ends a line: before LF, or alone, as old programs write it.
    private var isLineEnd: Bool { bytes[index] == 0x0D }

    private mutating func quoted() throws(Problem) -> String {
        let opened = line
        var cell: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                    guard index == bytes.count || bytes[index] == separator || bytes[index] == 0x0A || isLineEnd else {
                        throw Problem(code: .quoteBroken, line: line)
                    }
                    return String(decoding: cell, as: UTF8.self)
                }
                index += 1
            } else if byte == 0x0A {
                line += 1
            }
            cell.append(byte)
            guard cell.count <= Self.longestCell else { throw Problem(code: .cellTooLong, line: opened) }
        }
        throw Problem(code: .quoteOpen, line: opened)
    }
}
