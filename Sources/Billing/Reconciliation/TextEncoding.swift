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
        case .utf8: return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
        case .windows31J: return Self.convert(bytes, from: "CP932", to: "UTF-8")
        }
    }

    /// As much as is converted at once, so that a large file never lies in memory at several times its size.
    private static let piece = 64 << 10
    /// Code page 932 has two bytes or one for each character, none of which takes more than three in UTF-8.
    private static let growth = 3

    private static func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
        guard let converter = iconv_open(target, source), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 2)
        var output = [UInt8](repeating: 0, count: piece * growth)
        var start = 0
        while start < bytes.count {
            let end = min(start + piece, bytes.count)
            var input = Array(bytes[start..<end])
            guard let done = convert(&input, converter, &output) else { return nil }
            // The first half of a character that the piece ends within is read again with the next one.
            guard done.read > 0 else { return nil }
            text.append(contentsOf: output[..<done.written])
            start += done.read
        }
        return text
    }

    /// Converts as much as is whole; `nil` for a sequence that means nothing.
    private static func convert(
        _ input: inout [UInt8], _ converter: iconv_t, _ output: inout [UInt8]
    ) -> (read: Int, written: Int)? {
        input.withUnsafeMutableBytes { from in
            output.withUnsafeMutableBytes { into in
                var next = from.baseAddress?.assumingMemoryBound(to: CChar.self)
                var left = from.count
                var place = into.baseAddress?.assumingMemoryBound(to: CChar.self)
                var room = into.count
                let status = iconv(converter, &next, &left, &place, &room)
                guard status != -1 || errno == EINVAL else { return nil }
                return (from.count - left, into.count - room)
            }
        }
    }
}
