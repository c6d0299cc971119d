/// Strings that come in chunks (RFC 8949 §3.2.3), which the parser has found well-formed.
enum CBORChunks {
    /// The content of a string, its chunks joined.
    static func joined(_ bytes: borrowing Span<UInt8>, _ node: CBORNode) -> [UInt8] {
        var content: [UInt8] = []
        append(bytes, node, to: &content)
        return content
    }

    /// Appends the content of a string, its chunks joined.
    static func append(_ bytes: borrowing Span<UInt8>, _ node: CBORNode, to content: inout [UInt8]) {
        if !node.indefinite {
            append(bytes, node.content, to: &content)
            return
        }
        content.reserveCapacity(content.count + Int(node.count))
        var at = Int(node.start) + 1
        while bytes[at] != 0xFF {
            let width = bytes[at] & 0x1F < 24 ? 0 : 1 << (Int(bytes[at] & 0x1F) - 24)
            let length = Int(truncatingIfNeeded: CBORHead.argument(bytes, at: at, head: 1 + width))
            at += 1 + width
            append(bytes, at..<at + length, to: &content)
            at += length
        }
    }

    private static func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, to content: inout [UInt8]) {
        for index in range { content.append(bytes[index]) }
    }
}
