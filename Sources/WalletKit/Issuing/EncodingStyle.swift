import CBOR

/// How CBOR is spelled; every spelling here is well-formed, and each is in the field or allowed by RFC 8949.
public struct EncodingStyle: Sendable, Hashable {
    /// The order of map keys.
    public enum KeyOrder: Sendable, Hashable {
        /// As declared.
        case declared
        /// Shorter encoded keys first, then by bytes (RFC 7049 section 3.9; Apple in 2025).
        case lengthFirst
        /// The declared order backwards.
        case reversed
    }

    /// The order of map keys.
    public var keyOrder: KeyOrder = .declared
    /// Arrays, maps and strings of indefinite length.
    public var indefinite = false
    /// Lengths and numbers in more bytes than they need; never tags, whose two bytes are part of the digested form.
    public var wide = false

    /// As declared, definite, shortest.
    public static let plain = EncodingStyle()

    func head(_ major: UInt8, _ value: UInt64) -> [UInt8] {
        guard wide else {
            var encoder = CBOREncoder()
            switch major {
            case 0: encoder.unsigned(value)
            case 1: encoder.integer(-1 - Int64(truncatingIfNeeded: value))
            default: return EncodingStyle.shortest(major, value)
            }
            return encoder.bytes
        }
        return [major << 5 | 27] + bigEndian(value)
    }

    func tag(_ number: UInt64) -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.tag(number)
        return encoder.bytes
    }

    func string(_ major: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        // Text is left whole: a chunk must not end inside a character (RFC 8949 section 3.2.3).
        guard indefinite, major == 2, bytes.count > 1 else { return head(major, UInt64(bytes.count)) + bytes }
        let half = bytes.count / 2
        let first = head(major, UInt64(half)) + bytes[..<half]
        let second = head(major, UInt64(bytes.count - half)) + bytes[half...]
        return [major << 5 | 31] + first + second + [0xFF]
    }

    func container(_ major: UInt8, count: Int, _ content: [UInt8]) -> [UInt8] {
        indefinite ? [major << 5 | 31] + content + [0xFF] : head(major, UInt64(count)) + content
    }

    func ordered(_ members: [([UInt8], [UInt8])]) -> [([UInt8], [UInt8])] {
        switch keyOrder {
        case .declared: members
        case .reversed: members.reversed()
        case .lengthFirst:
            members.sorted { left, right in
                left.0.count != right.0.count
                    ? left.0.count < right.0.count : left.0.lexicographicallyPrecedes(right.0)
            }
        }
    }

    private static func shortest(_ major: UInt8, _ value: UInt64) -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.unsigned(value)
        var bytes = encoder.bytes
        bytes[0] |= major << 5
        return bytes
    }
}
