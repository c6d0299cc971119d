/// Distinguished Encoding Rules (X.690), as much as certificates and keys need.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8]
        switch content.count {
        case ..<0x80: length = [UInt8(content.count)]
        case ..<0x100: length = [0x81, UInt8(content.count)]
        case ..<0x1_0000: length = [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
        default:
            length = [
                0x83, UInt8(content.count >> 16 & 0xFF), UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF),
            ]
        }
        return [tag] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }

    static func sequence(of parts: [[UInt8]]) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }

    static func set(_ part: [UInt8]) -> [UInt8] { element(0x31, part) }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + bytes) }

    static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xFF : 0x00]) }

    static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }

    static let null: [UInt8] = [0x05, 0x00]

    /// A non-negative INTEGER from its big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let trimmed = Array(magnitude.drop { $0 == 0 })
        let padded = trimmed.isEmpty || trimmed[0] >= 0x80 ? [0] + trimmed : trimmed
        return element(0x02, padded)
    }

    static func time(_ moment: Moment) -> [UInt8] {
        let (tag, text) = moment.x509
        return element(tag, Array(text.utf8))
    }

    /// An OBJECT IDENTIFIER from its dotted text.
    static func oid(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2 else { return element(0x06, []) }
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var groups: [UInt8] = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            content += groups.reversed()
        }
        return element(0x06, content)
    }

    /// r and s of an ECDSA signature (SEQUENCE of two INTEGERs), each in `width` bytes.
    static func rawSignature(_ der: [UInt8], width: Int) throws(WalletError) -> [UInt8] {
        var rest = der[...]
        func length() throws(WalletError) -> Int {
            guard let first = rest.popFirst() else { throw .unreadable("ECDSA signature") }
            if first < 0x80 { return Int(first) }
            guard first == 0x81, let second = rest.popFirst() else { throw .unreadable("ECDSA signature") }
            return Int(second)
        }
        func number() throws(WalletError) -> [UInt8] {
            guard rest.popFirst() == 0x02 else { throw .unreadable("ECDSA signature") }
            let count = try length()
            let magnitude = rest.prefix(count).drop { $0 == 0 }
            rest = rest.dropFirst(count)
            guard magnitude.count <= width else { throw .unreadable("ECDSA signature") }
            return [UInt8](repeating: 0, count: width - magnitude.count) + magnitude
        }
        guard rest.popFirst() == 0x30 else { throw .unreadable("ECDSA signature") }
        _ = try length()
        return try number() + number()
    }
}
