/// Text forms of bytes: hexadecimal and base64, as the interfaces of the gateway use them (RFC 4648).
public enum ByteText {
    /// Lower-case hexadecimal.
    public static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(hexDigits[Int(byte >> 4)])
            text.append(hexDigits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads hexadecimal of either case; `nil` for an odd count or any other character.
    public static func bytes(hex text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Base64url without padding (RFC 4648 section 5).
    public static func base64URL(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, alphabet: urlAlphabet, padding: false)
    }

    /// Base64 with padding (RFC 4648 section 4).
    public static func base64(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, alphabet: alphabet, padding: true)
    }

    /// Reads base64 or base64url, padded or not; one alphabet a text, no white space, no stray bits.
    public static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
        var digits = Array(text.utf8)
        let length = digits.count
        while digits.count > length - 2, digits.last == 0x3D { digits.removeLast() }
        if digits.count != length, !length.isMultiple(of: 4) { return nil }
        let standard = digits.contains { $0 == 0x2B || $0 == 0x2F }
        let url = digits.contains { $0 == 0x2D || $0 == 0x5F }
        guard !(standard && url), digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for digit in digits {
            guard let value = base64Value(digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
                bits &= (1 << UInt32(held)) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func encode(_ bytes: some Collection<UInt8>, alphabet: [UInt8], padding: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                text.append(alphabet[Int(bits >> UInt32(held) & 63)])
            }
            bits &= (1 << UInt32(held)) - 1
        }
        if held > 0 { text.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
        while padding, !text.count.isMultiple(of: 4) { text.append(0x3D) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    private static func base64Value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case 0x30...0x39: digit - 0x30 + 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
