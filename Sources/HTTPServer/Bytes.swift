/// The classes of bytes that HTTP is made of.
enum Bytes {
    static let cr: UInt8 = 0x0d
    static let lf: UInt8 = 0x0a

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// A byte of a token (RFC 9110 §5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e: true
        default: false
        }
    }

    /// A byte of a field value: visible, a blank, or beyond ASCII (RFC 9110 §5.5).
    static func isFieldContent(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7f) }

    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    static func equal(_ bytes: some Collection<UInt8>, caseless text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount
            && text.withUTF8Buffer { zip(bytes, $0).allSatisfy { lowercased($0) == lowercased($1) } }
    }

    /// Without the blanks at both ends.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// As UTF-8 where it is, else as ISO 8859-1, which any bytes are.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }
}
