extension JSONParser {
    /// A quoted string; the index stands on its first quotation mark.
    mutating func string() throws(JSONStop) -> String {
        let quote = bytes[index]
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case quote:
                index += 1
                return String(decoding: text, as: UTF8.self)
            case 0x5C:
                index += 1
                try escape(into: &text)
            case 0x0A, 0x0D:
                throw stop("a string does not end on its line")
            case 0x00..<0x20 where !(isJSON5 && byte == 0x09):
                // JSON5 would allow them; nobody can see them in a configuration, so they must be escaped there too.
                throw stop("a control character stands unescaped in a string")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw stop("ends within a string")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONStop) {
        guard let byte = current else { throw stop("ends within a string") }
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75: append(try unicodeEscape(), to: &text)
        default:
            guard isJSON5 else { throw stop("an escape is not one of JSON's") }
            index -= 1
            try json5Escape(into: &text)
        }
    }

    private mutating func json5Escape(into text: inout [UInt8]) throws(JSONStop) {
        let byte = bytes[index]
        index += 1
        switch byte {
        case 0x76: text.append(0x0B)
        case 0x30 where !(current.map { (0x30...0x39).contains($0) } ?? false): text.append(0)
        case 0x78: append(try hexScalar(digits: 2), to: &text)
        case 0x0D, 0x0A:
            if byte == 0x0D, current == 0x0A { index += 1 }
            newLine()
        case 0xE2 where current == 0x80 && (at(1) == 0xA8 || at(1) == 0xA9):
            index += 2
        case 0x30...0x39: throw stop("an escape is a digit")
        default: text.append(byte)
        }
    }

    /// The scalar of `\uXXXX`, or of a pair of them; the index stands behind the `u`.
    mutating func unicodeEscape() throws(JSONStop) -> Unicode.Scalar {
        let first = try hexNumber(digits: 4)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, current == 0x5C, at(1) == 0x75 else {
            throw stop("an escape is half of a surrogate pair")
        }
        index += 2
        let second = try hexNumber(digits: 4)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw stop("an escape is half of a surrogate pair") }
        return scalar
    }

    private mutating func hexScalar(digits: Int) throws(JSONStop) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(try hexNumber(digits: digits)) else {
            throw stop("an escape is no character")
        }
        return scalar
    }

    private mutating func hexNumber(digits: Int) throws(JSONStop) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = current, let digit = hexValue(byte) else {
                throw stop("an escape needs \(digits) hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(contentsOf: String(scalar).utf8)
    }

    /// A name without quotation marks (JSON5: an ECMAScript 5.1 IdentifierName); `nil` where none begins.
    mutating func identifier() throws(JSONStop) -> String? {
        var name = String.UnicodeScalarView()
        while let scalar = try identifierScalar() {
            let isStart = scalar == "$" || scalar == "_" || scalar.properties.isIDStart
            let isPart = isStart || scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
            guard name.isEmpty ? isStart : isPart else { throw stop("a name like this one needs quotation marks") }
            name.append(scalar)
        }
        return name.isEmpty ? nil : String(name)
    }

    private mutating func identifierScalar() throws(JSONStop) -> Unicode.Scalar? {
        guard let byte = current else { return nil }
        if byte == 0x5C {
            guard at(1) == 0x75 else { throw stop("a name without quotation marks has a wrong escape") }
            index += 2
            return try unicodeEscape()
        }
        guard isWordByte(byte), let (scalar, length) = scalar(), byte < 0x80 || !isWhiteSpace(scalar) else {
            return nil
        }
        index += length
        return scalar
    }
}
