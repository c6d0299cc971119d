/// A writer of DER for the tests: whatever is asked is written, sound or not.
enum DER {
    static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        let head: [UInt8] =
            switch length {
            case ..<0x80: [UInt8(length)]
            case ..<0x100: [0x81, UInt8(length)]
            default: [0x82, UInt8(length >> 8), UInt8(length & 255)]
            }
        return [tag] + head + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap(\.self)) }
    static func set(_ parts: [UInt8]...) -> [UInt8] { tagged(0x31, parts.flatMap(\.self)) }
    static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { tagged(0xA0 | number, content) }
    static func implicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { tagged(0x80 | number, content) }
    static func octets(_ content: [UInt8]) -> [UInt8] { tagged(0x04, content) }
    static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { tagged(0x03, [unused] + content) }
    static func utf8(_ text: String) -> [UInt8] { tagged(0x0C, Array(text.utf8)) }
    static func ia5(_ text: String) -> [UInt8] { tagged(0x16, Array(text.utf8)) }
    static func boolean(_ value: Bool) -> [UInt8] { tagged(0x01, [value ? 0xFF : 0]) }

    /// The content bytes of an integer as they are given.
    static func integer(_ content: [UInt8]) -> [UInt8] { tagged(0x02, content) }
    static func integer(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.insert(UInt8(truncatingIfNeeded: rest & 255), at: 0)
            rest >>= 8
        } while rest > 0
        return integer(bytes[0] >= 0x80 ? [0] + bytes : bytes)
    }

    static func oid(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").compactMap { Int($0) }
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var groups: [UInt8] = [UInt8(arc & 127)]
            var rest = arc >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 127) | 0x80, at: 0)
                rest >>= 7
            }
            content += groups
        }
        return tagged(0x06, content)
    }

    static func utcTime(_ text: String) -> [UInt8] { tagged(0x17, Array(text.utf8)) }
    static func generalizedTime(_ text: String) -> [UInt8] { tagged(0x18, Array(text.utf8)) }

    /// A name of one attribute a level, in this order.
    static func name(_ attributes: [(String, String)]) -> [UInt8] {
        tagged(0x30, attributes.flatMap { set(sequence(oid($0.0), utf8($0.1))) })
    }
}
