import Glibc

/// An encoding that providers write their invoices in.
public enum TextEncoding: String, Sendable, CaseIterable, Hashable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// What Japanese spreadsheet programs call Shift_JIS (Windows code page 932).
    case windows31J = "windows-31j"

    /// The text as UTF-8; `nil` where a byte sequence means nothing in the encoding: it is never guessed at.
    public func decode(_ bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .utf8:
            let text = String(validating: bytes, as: UTF8.self)
            return text.map { Array($0.utf8) }
        case .windows31J: return Self.convert(bytes, from: "CP932", to: "UTF-8")
        }
    }

    private static func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
        guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        // No character of either encoding takes more than four bytes in the other.
        var output = [UInt8](repeating: 0, count: bytes.count * 4 + 8)
        var input = bytes
        let written: Int? = input.withUnsafeMutableBytes { from in
            output.withUnsafeMutableBytes { into in
                var next = from.baseAddress?.assumingMemoryBound(to: CChar.self)
                var left = from.count
                var place = into.baseAddress?.assumingMemoryBound(to: CChar.self)
                var room = into.count
                guard iconv(converter, &next, &left, &place, &room) != -1, left == 0 else { return nil }
                return into.count - room
            }
        }
        return written.map { Array(output.prefix($0)) }
    }
}
