extension JSONParser {
    /// Skips white space, and in JSON5 comments.
    mutating func skipWhiteSpace() throws(JSONStop) {
        while let byte = current {
            switch byte {
            case 0x20, 0x09: index += 1
            case 0x0A: takeNewLine()
            case 0x0D: takeNewLine()
            case 0x0B where isJSON5, 0x0C where isJSON5: index += 1
            case 0x2F where isJSON5 && at(1) == 0x2F: skipLineComment()
            case 0x2F where isJSON5 && at(1) == 0x2A: try skipBlockComment()
            case 0x80... where isJSON5:
                guard let (scalar, length) = scalar(), isWhiteSpace(scalar) else { return }
                index += length
            default: return
            }
        }
    }

    /// Counts a line that ended just before the index.
    mutating func newLine() {
        line += 1
        lineStart = index
    }

    private mutating func takeNewLine() {
        index += bytes[index] == 0x0D && at(1) == 0x0A ? 2 : 1
        newLine()
    }

    private mutating func skipLineComment() {
        while let byte = current, byte != 0x0A, byte != 0x0D {
            // U+2028 and U+2029 end a comment too (JSON5 section 8): what follows them is not commented out.
            if byte == 0xE2, at(1) == 0x80, at(2) == 0xA8 || at(2) == 0xA9 { return }
            index += 1
        }
    }

    private mutating func skipBlockComment() throws(JSONStop) {
        let start = line
        index += 2
        while let byte = current {
            if byte == 0x2A, at(1) == 0x2F {
                index += 2
                return
            }
            if byte == 0x0A || byte == 0x0D { takeNewLine() } else { index += 1 }
        }
        line = start
        throw stop("a comment does not end")
    }

    /// White space beyond ASCII that JSON5 allows: the space separators, the two line separators. Not U+FEFF: a byte
    /// order mark is refused wherever it stands.
    func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .spaceSeparator || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// The scalar at the index and the number of its bytes. The text was checked to be UTF-8 before.
    func scalar() -> (Unicode.Scalar, Int)? {
        guard let first = current else { return nil }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard index + length <= bytes.count,
            let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
        else { return nil }
        return (scalar, length)
    }
}
