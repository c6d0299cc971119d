/// Spellings that are valid but not usual; the tests and the wallet write them to try readers.
extension CBOREncoder {
    /// A head of a width of the writer's choice, whether or not a shorter one would do.
    public mutating func head(_ major: Major, _ argument: UInt64, width: Width) {
        bytes.reserveCapacity(bytes.count + 1 + width.rawValue)
        var head: [UInt8] = [major.rawValue << 5 | UInt8(24 + width.rawValue.trailingZeroBitCount)]
        CBOREncoder.appendBytes(argument, width: width.rawValue, to: &head)
        raw(head)
    }

    /// Opens an array that a break ends.
    public mutating func indefiniteArray() { raw([0x9F]) }

    /// Opens a map that a break ends.
    public mutating func indefiniteMap() { raw([0xBF]) }

    /// Opens a byte string in chunks, which are byte strings, that a break ends.
    public mutating func indefiniteByteString() { raw([0x5F]) }

    /// Opens a text string in chunks, which are text strings, that a break ends.
    public mutating func indefiniteText() { raw([0x7F]) }

    /// Ends what was opened last without a declared length.
    public mutating func endIndefinite() { raw([0xFF]) }

    /// A simple value without a name: 0 to 19, or 32 to 255 (24 to 31 are not well-formed, 20 to 23 have names).
    public mutating func simple(_ value: UInt8) {
        var head: [UInt8] = []
        CBOREncoder.appendHead(.simple, UInt64(value), to: &head)
        raw(head)
    }

    /// A floating-point number in the shortest width that holds it exactly; every NaN is written as one.
    public mutating func double(_ value: Double) {
        var item: [UInt8] = []
        if value.isNaN {
            item = [0xF9, 0x7E, 0x00]
        } else if let bits = CBORFloat.halfBits(value) {
            item.append(0xF9)
            CBOREncoder.appendBytes(UInt64(bits), width: 2, to: &item)
        } else if Double(Float(value)) == value {
            item.append(0xFA)
            CBOREncoder.appendBytes(UInt64(Float(value).bitPattern), width: 4, to: &item)
        } else {
            item.append(0xFB)
            CBOREncoder.appendBytes(value.bitPattern, width: 8, to: &item)
        }
        raw(item)
    }

    /// Appends the shortest head of an argument.
    static func appendHead(_ major: Major, _ argument: UInt64, to bytes: inout [UInt8]) {
        let first = major.rawValue << 5
        switch argument {
        case 0..<24:
            bytes.append(first | UInt8(truncatingIfNeeded: argument))
        case 24..<0x100:
            bytes.append(first | 24)
            appendBytes(argument, width: 1, to: &bytes)
        case 0x100..<0x1_0000:
            bytes.append(first | 25)
            appendBytes(argument, width: 2, to: &bytes)
        case 0x1_0000..<0x1_0000_0000:
            bytes.append(first | 26)
            appendBytes(argument, width: 4, to: &bytes)
        default:
            bytes.append(first | 27)
            appendBytes(argument, width: 8, to: &bytes)
        }
    }

    /// Appends the low bytes of a number, the highest first.
    static func appendBytes(_ value: UInt64, width: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
