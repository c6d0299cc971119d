/// Stands in until the CBOR room's encoder is there.
struct CBOREncoder {
    private(set) var bytes: [UInt8] = []

    mutating func integer(_ value: Int64) {
        value < 0 ? head(1, UInt64(~value)) : head(0, UInt64(value))
    }

    mutating func byteString(_ value: [UInt8]) {
        head(2, UInt64(value.count))
        bytes += value
    }

    mutating func text(_ value: String) {
        head(3, UInt64(value.utf8.count))
        bytes += value.utf8
    }

    mutating func array(count: Int) { head(4, UInt64(count)) }

    mutating func null() { bytes.append(0xF6) }

    private mutating func head(_ major: UInt8, _ value: UInt64) {
        let (information, width): (UInt8, Int) =
            switch value {
            case 0...23: (UInt8(value), 0)
            case 24...0xFF: (24, 1)
            case 0x100...0xFFFF: (25, 2)
            case 0x10000...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        bytes.append(major << 5 | information)
        for place in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(place * 8))) }
    }
}
