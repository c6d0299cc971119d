/// Finds keys that a map has twice, by value: 1 and 1 in two bytes are one key, and so is a text in chunks.
enum CBORKeys {
    /// Up to this many pairs each key is compared with each other; above, keys are sorted.
    private static let pairwise = 12

    /// How deep a key that is an array, map or tag may nest. No standard of ours has such a key at all; without a bound
    /// a key within a key within a key would be compared once for each level that encloses it.
    private static let greatestDepth = 4

    /// Refuses a closed map on the tape that has a key twice.
    static func check(_ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], map: Int) throws(CBORError) {
        if nodes[map].count <= pairwise, let duplicate = pairwiseDuplicate(bytes, nodes, map: map) {
            if duplicate { throw .duplicateKey }
            return
        }
        if areAscending(bytes, nodes, map: map) { return }
        try checkDepth(nodes, map: map)
        if CBORCanonical.hasDuplicate(bytes, nodes, map: map) { throw .duplicateKey }
    }

    private static func checkDepth(_ nodes: [CBORNode], map: Int) throws(CBORError) {
        var key = map + 1
        while key < Int(nodes[map].next) {
            let end = Int(nodes[key].next)
            for index in key..<end where nodes[index].depth - nodes[key].depth > greatestDepth { throw .tooDeep }
            key = Int(nodes[end].next)
        }
    }

    /// Compares each key with each; `nil` where one is an array, map or tag.
    private static func pairwiseDuplicate(
        _ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], map: Int
    ) -> Bool? {
        let end = Int(nodes[map].next)
        var key = map + 1
        while key < end {
            guard nodes[key].kind.isScalar else { return nil }
            var earlier = map + 1
            while earlier < key {
                if areEqual(bytes, nodes[earlier], nodes[key]) { return true }
                earlier = Int(nodes[Int(nodes[earlier].next)].next)
            }
            key = Int(nodes[Int(nodes[key].next)].next)
        }
        return false
    }

    /// Whether the keys are unsigned numbers and each is above the one before, as in sorted digest tables.
    private static func areAscending(
        _ bytes: borrowing Span<UInt8>, _ nodes: [CBORNode], map: Int
    ) -> Bool {
        let end = Int(nodes[map].next)
        var key = map + 1
        var last: UInt64?
        while key < end {
            guard nodes[key].kind == .unsigned else { return false }
            let value = argument(bytes, nodes[key])
            if let last, last >= value { return false }
            last = value
            key = Int(nodes[Int(nodes[key].next)].next)
        }
        return true
    }

    /// Whether two scalars have one value.
    @inline(__always)
    private static func areEqual(_ bytes: borrowing Span<UInt8>, _ one: CBORNode, _ other: CBORNode) -> Bool {
        let first = bytes[Int(one.start)]
        let second = bytes[Int(other.start)]
        // Both arguments are in the first byte, and differ there.
        if first != second, first & 0x1F < 24, second & 0x1F < 24 { return false }
        return areEqualAtLength(bytes, one, other)
    }

    private static func areEqualAtLength(
        _ bytes: borrowing Span<UInt8>, _ one: CBORNode, _ other: CBORNode
    ) -> Bool {
        guard one.kind == other.kind else { return false }
        switch one.kind {
        case .bytes, .text:
            if !one.indefinite, !other.indefinite { return haveSameContent(bytes, one.content, other.content) }
            return CBORChunks.joined(bytes, one) == CBORChunks.joined(bytes, other)
        case .float:
            return CBORFloat.value(argument(bytes, one), head: one.head).bitPattern
                == CBORFloat.value(argument(bytes, other), head: other.head).bitPattern
        case .unsigned, .negative, .simple, .boolean, .null, .undefined:
            return argument(bytes, one) == argument(bytes, other)
        case .array, .map, .tag:
            return false
        }
    }

    private static func haveSameContent(
        _ bytes: borrowing Span<UInt8>, _ one: Range<Int>, _ other: Range<Int>
    ) -> Bool {
        guard one.count == other.count else { return false }
        let distance = other.lowerBound - one.lowerBound
        for index in one where bytes[index] != bytes[index + distance] { return false }
        return true
    }

    @inline(__always)
    private static func argument(_ bytes: borrowing Span<UInt8>, _ node: CBORNode) -> UInt64 {
        CBORHead.argument(bytes, at: Int(node.start), head: node.head)
    }
}
