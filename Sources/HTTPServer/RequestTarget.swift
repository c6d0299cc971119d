/// A request target in origin form, read strictly: what two readers could take for two paths is no target.
struct RequestTarget: Sendable {
    var path: String
    var segments: [String]
    var query: [(String, String)]

    /// The target of these bytes, or `nil` where it is not an absolute path with an optional query.
    init?(_ bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "/"), bytes.allSatisfy(Self.isAllowed) else { return nil }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let path = bytes[..<(mark ?? bytes.endIndex)]
        self.path = String(decoding: path, as: UTF8.self)
        segments = []
        if path.count > 1 {
            for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                guard let decoded = Self.decoded(segment), decoded != ".", decoded != ".." else { return nil }
                segments.append(decoded)
            }
        }
        query = []
        guard let mark else { return }
        for pair in bytes[(mark + 1)...].split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let value = equals.map { pair[($0 + 1)...] } ?? []
            guard
                let name = Self.decoded(pair[..<(equals ?? pair.endIndex)], plusIsSpace: true),
                let value = Self.decoded(value, plusIsSpace: true)
            else { return nil }
            query.append((name, value))
        }
    }

    /// Visible ASCII without `#`, `"`, `<`, `>`, `\`, `^`, `` ` ``, `{`, `|`, `}`: none of these stands in a URI unescaped (RFC 3986 §2).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x23, 0x3c, 0x3e, 0x5c, 0x5e, 0x60, 0x7b...0x7d: false
        case 0x21...0x7e: true
        default: false
        }
    }

    /// Percent-decoded; `nil` for a bad escape, a control character, or bytes that are not UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex, let high = Bytes.hexValue(bytes[index + 1]),
                    let low = Bytes.hexValue(bytes[index + 2])
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if plusIsSpace && byte == UInt8(ascii: "+") {
                byte = 0x20
            }
            guard !Bytes.isControl(byte) else { return nil }
            result.append(byte)
            index += 1
        }
        return String(validating: result, as: UTF8.self)
    }
}
