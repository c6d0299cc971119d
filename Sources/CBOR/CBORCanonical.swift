/// The one deterministic spelling of an item (RFC 8949 §4.2.1): two items of one value have one spelling.
enum CBORCanonical {
    /// Where the spelling of a key is, and its first eight bytes, by which most are told apart.
    private struct Spelling {
        var prefix: UInt64
        var range: Range<Int>
    }

    /// Whether a map has a key twice. Sorting, not hashing: no choice of keys makes it slow.
    static func hasDuplicate(_ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], map: Int) -> Bool {
        var text: [UInt8] = []
        let keys = spellings(bytes, nodes, of: children(nodes, of: map, step: 2), in: &text)
        for index in keys.indices.dropFirst()
        where keys[index].prefix == keys[index - 1].prefix
            && text[keys[index].range] == text[keys[index - 1].range]
        {
            return true
        }
        return false
    }

    /// The spellings of some items, in order.
    private static func spellings(
        _ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], of items: [Int], in text: inout [UInt8]
    ) -> [Spelling] {
        var spellings: [Spelling] = []
        spellings.reserveCapacity(items.count)
        for item in items {
            let start = text.count
            append(bytes, nodes, item, to: &text)
            spellings.append(Spelling(prefix: prefix(text[start...]), range: start..<text.count))
        }
        let all = text
        spellings.sort { one, other in
            one.prefix != other.prefix
                ? one.prefix < other.prefix : all[one.range].lexicographicallyPrecedes(all[other.range])
        }
        return spellings
    }

    private static func prefix(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for byte in bytes.prefix(8) { prefix = prefix << 8 | UInt64(byte) }
        return prefix << UInt64(8 * (8 - min(8, bytes.count)))
    }

    private static func children(_ nodes: [CBORNode], of parent: Int, step: Int) -> [Int] {
        var children: [Int] = []
        var child = parent + 1
        while child < Int(nodes[parent].next) {
            children.append(child)
            for _ in 0..<step { child = Int(nodes[child].next) }
        }
        return children
    }

    /// Appends the spelling of an item. It calls itself for what an item holds; `CBORKeys` has bounded that depth.
    private static func append(
        _ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], _ index: Int, to text: inout [UInt8]
    ) {
        let node = nodes[index]
        let argument = CBORHead.argument(bytes, at: Int(node.start), head: node.head)
        switch node.kind {
        case .unsigned: CBOREncoder.appendHead(.unsigned, argument, to: &text)
        case .negative: CBOREncoder.appendHead(.negative, argument, to: &text)
        case .bytes, .text:
            let length = node.indefinite ? Int(node.count) : node.content.count
            CBOREncoder.appendHead(node.kind == .text ? .text : .bytes, UInt64(length), to: &text)
            CBORChunks.append(bytes, node, to: &text)
        case .array:
            CBOREncoder.appendHead(.array, UInt64(node.count), to: &text)
            for child in children(nodes, of: index, step: 1) { append(bytes, nodes, child, to: &text) }
        case .map:
            appendMap(bytes, nodes, index, to: &text)
        case .tag:
            CBOREncoder.appendHead(.tag, argument, to: &text)
            append(bytes, nodes, index + 1, to: &text)
        case .boolean, .null, .undefined, .simple: CBOREncoder.appendHead(.simple, argument, to: &text)
        case .float:
            // The width says no more than the value; only this spelling needs to be one, not to be the shortest.
            text.append(0xFB)
            CBOREncoder.appendBytes(CBORFloat.value(argument, head: node.head).bitPattern, width: 8, to: &text)
        }
    }

    private static func appendMap(
        _ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], _ index: Int, to text: inout [UInt8]
    ) {
        var pairs: [[UInt8]] = []
        for key in children(nodes, of: index, step: 2) {
            var pair: [UInt8] = []
            append(bytes, nodes, key, to: &pair)
            append(bytes, nodes, Int(nodes[key].next), to: &pair)
            pairs.append(pair)
        }
        // No key is there twice, so the order of the pairs is that of the keys.
        pairs.sort { $0.lexicographicallyPrecedes($1) }
        CBOREncoder.appendHead(.map, UInt64(pairs.count), to: &text)
        for pair in pairs { text += pair }
    }
}
