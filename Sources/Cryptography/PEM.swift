/// Reads the textual encoding of keys and certificates (RFC 7468), strictly inside a block and not at all outside.
public enum PEM {
    /// One block of a file.
    public struct Block: Sendable {
        /// The words after `BEGIN`.
        public let label: String
        /// The decoded bytes; empty where ``isEncrypted``.
        public fileprivate(set) var bytes: [UInt8]
        /// The line, from 1, on which the block begins.
        public let line: Int
        /// Whether the block's own headers say that it is encrypted (RFC 1421 §4.6.1.1, as OpenSSL writes it).
        public fileprivate(set) var isEncrypted: Bool
    }

    /// A block that cannot be read.
    public struct Problem: Error, Sendable, Equatable {
        /// The line, from 1, of the trouble.
        public let line: Int
    }

    /// Whether `bytes` hold the beginning of a block anywhere.
    public static func isPresent(in bytes: [UInt8]) -> Bool {
        lines(of: bytes).contains { $0.starts(with: begin) }
    }

    /// The blocks of a file in their order; text between blocks is ignored, as RFC 7468 §2 wants it.
    public static func blocks(_ bytes: [UInt8]) throws(Problem) -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        var text: [UInt8] = []
        // The text of a private key is as secret as the key.
        defer { Wipe.bytes(&text) }
        var number = 0
        for line in lines(of: bytes) {
            number += 1
            if line.starts(with: begin) {
                guard open == nil, let label = label(line, after: begin) else { throw Problem(line: number) }
                open = Block(label: label, bytes: [], line: number, isEncrypted: false)
                text.removeAll(keepingCapacity: true)
                text.reserveCapacity(bytes.count)
            } else if line.starts(with: end) {
                guard var block = open, label(line, after: end) == block.label else { throw Problem(line: number) }
                if !block.isEncrypted {
                    guard let decoded = base64(text), !decoded.isEmpty else { throw Problem(line: block.line) }
                    block.bytes = decoded
                }
                blocks.append(block)
                open = nil
            } else if open != nil {
                if line.contains(UInt8(ascii: ":")) {
                    open?.isEncrypted = true
                } else {
                    text.append(contentsOf: line)
                }
            }
        }
        if let open { throw Problem(line: open.line) }
        return blocks
    }

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    /// Lines without their ends (LF, CRLF or CR) and without blanks at either end of them.
    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            let start = line.drop { isBlank($0) }
            guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start.prefix(0) }
            return start[...last]
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func label(_ line: ArraySlice<UInt8>, after prefix: [UInt8]) -> String? {
        let rest = line.dropFirst(prefix.count)
        guard rest.count > dashes.count, rest.suffix(dashes.count).elementsEqual(dashes) else { return nil }
        return String(decoding: rest.dropLast(dashes.count), as: UTF8.self)
    }

    /// Strict base64 (RFC 4648 §4): whole groups, padding at the end only, no spare bits.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var held = 0
        for byte in text.dropLast(padding) {
            guard let value = sextet(byte) else { return nil }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        guard bits & ((1 << UInt32(held)) - 1) == 0 else { return nil }
        return out
    }

    private static func sextet(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
