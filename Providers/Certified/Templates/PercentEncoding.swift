import VerificationCore

/// How values stand in URLs and forms.
enum PercentEncoding {
    /// A value in a path segment or a query: everything but the unreserved characters (RFC 3986 section 2.3) is
    /// encoded, so that no value can end its segment.
    static func encode(_ text: String) -> String {
        String(decoding: text.utf8.flatMap { isUnreserved($0) ? [$0] : escape($0) }, as: UTF8.self)
    }

    /// A value in `application/x-www-form-urlencoded` (URL Standard section 5.2).
    static func formEncode(_ text: String) -> String {
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            if byte == 0x20 { return [0x2B] }
            return isAlphanumeric(byte) || [0x2A, 0x2D, 0x2E, 0x5F].contains(byte) ? [byte] : escape(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text may stand in a path segment as it is (RFC 3986 section 3.3, `pchar`).
    static func isSegment(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if byte == 0x25 {
                return index + 2 < bytes.count && isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
            }
            return isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }

    private static func escape(_ byte: UInt8) -> [UInt8] { Array("%\(ByteText.hex([byte]).uppercased())".utf8) }
}

/// What may stand in a header field (RFC 9110 section 5).
enum HeaderField {
    /// Fields that frame a request: the client writes them.
    static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te",
        "trailer", "keep-alive", "proxy-authorization", "proxy-connection", "accept-encoding",
    ]

    /// The longest value: servers refuse more.
    static let longestValue = 8000

    /// Whether a text is a token.
    static func isName(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    /// Whether a text may be part of a value: visible ASCII and spaces, nothing that could begin another field.
    static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Whether a text may be a whole value.
    static func isValue(_ text: String) -> Bool {
        isText(text) && text.utf8.count <= longestValue && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }
}
