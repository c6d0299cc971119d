/// Base64 with padding (RFC 4648 section 4) and PEM (RFC 7468).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let padded = Array(part) + [UInt8](repeating: 0, count: 3 - part.count)
            let bits = UInt32(padded[0]) << 16 | UInt32(padded[1]) << 8 | UInt32(padded[2])
            for (index, shift) in [18, 12, 6, 0].enumerated() {
                text.append(index > part.count ? 0x3D : alphabet[Int(bits >> UInt32(shift) & 63)])
            }
        }
        return text
    }

    /// Reads base64; white space is skipped, anything else foreign gives `nil`.
    static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var held = 0
        for character in text where ![0x0A, 0x0D, 0x20, 0x3D].contains(character) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
                bits &= (1 << UInt32(held)) - 1
            }
        }
        return bytes
    }
}

/// PEM text (RFC 7468).
public enum PEM {
    /// One block.
    public static func encode(_ der: [UInt8], label: String) -> String {
        let body = Base64.encode(der)
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: body.count, by: 64) {
            text += String(decoding: body[start..<min(start + 64, body.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    /// Every block with this label, in order.
    public static func decode(_ text: String, label: String) throws(WalletError) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var body: [UInt8]?
        for line in text.split(whereSeparator: \.isNewline) {
            if line == "-----BEGIN \(label)-----" {
                body = []
            } else if line == "-----END \(label)-----", let characters = body {
                guard let der = Base64.decode(characters) else { throw .unreadable("PEM \(label)") }
                blocks.append(der)
                body = nil
            } else {
                body?.append(contentsOf: line.utf8)
            }
        }
        return blocks
    }
}
