/// Writes comma-separated values as RFC 4180 has them: lines end with CR LF, a cell is quoted where it must be.
///
/// A text that a spreadsheet program would take for a formula gets an apostrophe in front; a number never does. Which
/// cells are texts is the caller's to say, because `-1` is a number in one column and an attack in another.
public struct CSVWriter: Sendable {
    /// A cell.
    public enum Cell: Sendable, Hashable {
        /// A text of whatever origin.
        case text(String)
        /// A number of our own making, written as it is.
        case number(String)
        /// Nothing.
        case empty
    }

    /// What was written so far.
    public private(set) var bytes: [UInt8]

    /// A writer; with `byteOrderMark`, for the programs that take UTF-8 without one for something else.
    public init(byteOrderMark: Bool = false) {
        bytes = byteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    }

    /// Writes a line.
    public mutating func line(_ cells: [Cell]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch cell {
            case .text(let text): write(Self.harmless(text))
            case .number(let number): bytes.append(contentsOf: number.utf8)
            case .empty: break
            }
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Takes what was written, so that a long table can leave in pieces.
    public mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func write(_ text: String) {
        let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0D, 0x0A, 0x09]
        let isSpaced = text.utf8.first == 0x20 || text.utf8.last == 0x20
        guard isSpaced || text.utf8.contains(where: special.contains) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The first characters by which a spreadsheet program knows a formula, with their full-width forms, which some
    /// programs fold; blanks in front of one do not help.
    private static let starters: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    private static func harmless(_ text: String) -> String {
        let first = text.unicodeScalars.first { !($0 == " " || $0 == "\u{3000}" || $0 == "\u{FEFF}") }
        guard let first, starters.contains(first) else { return text }
        return "'" + text
    }
}
