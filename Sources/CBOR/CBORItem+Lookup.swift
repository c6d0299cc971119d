extension CBORItem {
    /// What a map has under a text key; `nil` where it has not, or is no map.
    public subscript(_ key: String) -> CBORItem? {
        let utf8 = key.utf8
        let wanted = utf8.span
        let bytes = storage.bytes
        let span = bytes.span
        return value { node in
            guard node.kind == .text else { return false }
            if node.indefinite { return CBORChunks.joined(span, node).elementsEqual(utf8) }
            let content = node.content
            guard content.count == wanted.count else { return false }
            for index in wanted.indices where span[content.lowerBound + index] != wanted[index] { return false }
            return true
        }
    }

    /// What a map has under a number, however the number is spelt; `nil` where it has not, or is no map.
    public subscript(_ label: Int64) -> CBORItem? {
        let bytes = storage.bytes
        let span = bytes.span
        let wanted = label < 0 ? CBORItem.Kind.negative : .unsigned
        // RFC 8949 §3.1: the argument of a negative number is −1 − n.
        let argument = UInt64(bitPattern: label < 0 ? ~label : label)
        return value { node in
            node.kind == wanted && CBORHead.argument(span, at: Int(node.start), head: node.head) == argument
        }
    }

    /// What a map must have under a text key.
    public func require(_ key: String) throws(CBORError) -> CBORItem {
        guard kind == .map else { throw .wrongType }
        guard let item = self[key] else { throw .missingKey }
        return item
    }

    /// What a map must have under a number.
    public func require(_ label: Int64) throws(CBORError) -> CBORItem {
        guard kind == .map else { throw .wrongType }
        guard let item = self[label] else { throw .missingKey }
        return item
    }

    @inline(__always)
    private func value(where matches: (CBORNode) -> Bool) -> CBORItem? {
        let nodes = storage.nodes
        guard nodes[index].kind == .map else { return nil }
        let end = Int(nodes[index].next)
        var key = index + 1
        while key < end {
            let value = Int(nodes[key].next)
            if matches(nodes[key]) { return CBORItem(storage: storage, index: value) }
            key = Int(nodes[value].next)
        }
        return nil
    }
}
