extension JSONParser {
    /// A number. Its text is kept, so nothing is rounded and nothing overflows.
    mutating func number() throws(JSONStop) -> JSONNumber {
        let start = index
        if current == 0x2D || isJSON5 && current == 0x2B { index += 1 }
        if isJSON5, takeWord("Infinity") || takeWord("NaN") { return text(from: start) }
        if isJSON5, current == 0x30, let mark = at(1), mark == 0x78 || mark == 0x58 {
            index += 2
            if takeDigits(where: { hexValue($0) != nil }) == 0 { throw stop("a hexadecimal number has no digits") }
        } else {
            try decimal()
        }
        if let byte = current, isWordByte(byte) || byte == 0x2E {
            throw stop("a number has another sign in it; a text needs quotation marks")
        }
        return text(from: start)
    }

    private mutating func decimal() throws(JSONStop) {
        let first = current
        let whole = takeDigits(where: isDigit)
        if whole > 1, first == 0x30 { throw stop("a number has a leading zero") }
        var fraction = 0
        let hasPoint = take(0x2E)
        if hasPoint { fraction = takeDigits(where: isDigit) }
        // JSON5 allows `.5` and `5.`; JSON neither.
        guard whole > 0 || isJSON5 && fraction > 0 else { throw stop("a value is expected") }
        if hasPoint, fraction == 0, !isJSON5 { throw stop("a number ends with its point") }
        if let mark = current, mark == 0x65 || mark == 0x45 {
            index += 1
            if current == 0x2B || current == 0x2D { index += 1 }
            if takeDigits(where: isDigit) == 0 { throw stop("a number has an empty exponent") }
        }
    }

    private mutating func takeDigits(where isDigit: (UInt8) -> Bool) -> Int {
        let start = index
        while let byte = current, isDigit(byte) { index += 1 }
        return index - start
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private func text(from start: Int) -> JSONNumber {
        JSONNumber(text: String(decoding: bytes[start..<index], as: UTF8.self))
    }
}
