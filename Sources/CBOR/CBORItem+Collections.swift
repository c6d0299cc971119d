/// The items of an array, in their order.
public struct CBORItems: Sequence, Sendable {
    let parent: CBORItem

    /// Walks the items.
    public struct Iterator: IteratorProtocol {
        let storage: CBORStorage
        var index: Int
        let end: Int

        /// The next item.
        public mutating func next() -> CBORItem? {
            guard index < end else { return nil }
            defer { index = Int(storage.nodes[index].next) }
            return CBORItem(storage: storage, index: index)
        }
    }

    /// How many there are.
    public var count: Int { parent.kind == .array ? Int(parent.node.count) : 0 }
    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }
    /// The first.
    public var first: CBORItem? { self[0] }

    /// The item at a position; `nil` where there are not that many. Walks the array up to it.
    public subscript(_ position: Int) -> CBORItem? {
        guard position >= 0, position < count else { return nil }
        var iterator = makeIterator()
        for _ in 0..<position { _ = iterator.next() }
        return iterator.next()
    }

    /// Starts at the first item.
    public func makeIterator() -> Iterator {
        let end = parent.kind == .array ? Int(parent.node.next) : parent.index
        return Iterator(storage: parent.storage, index: parent.index + 1, end: end)
    }
}

/// The pairs of a map, in their order.
public struct CBORPairs: Sequence, Sendable {
    let parent: CBORItem

    /// Walks the pairs.
    public struct Iterator: IteratorProtocol {
        let storage: CBORStorage
        var index: Int
        let end: Int

        /// The next pair.
        public mutating func next() -> (key: CBORItem, value: CBORItem)? {
            guard index < end else { return nil }
            let value = Int(storage.nodes[index].next)
            defer { index = Int(storage.nodes[value].next) }
            return (CBORItem(storage: storage, index: index), CBORItem(storage: storage, index: value))
        }
    }

    /// How many there are.
    public var count: Int { parent.kind == .map ? Int(parent.node.count) : 0 }
    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// Starts at the first pair.
    public func makeIterator() -> Iterator {
        let end = parent.kind == .map ? Int(parent.node.next) : parent.index
        return Iterator(storage: parent.storage, index: parent.index + 1, end: end)
    }
}

extension CBORItem {
    /// How many items an array or pairs a map has; 0 for all else.
    public var count: Int { kind == .array || kind == .map ? Int(node.count) : 0 }

    /// The items of an array; none where it is no array (`array()` tells the two apart).
    public var items: CBORItems { CBORItems(parent: self) }

    /// The pairs of a map; none where it is no map (`map()` tells the two apart).
    public var pairs: CBORPairs { CBORPairs(parent: self) }

    /// The items of an array.
    public func array() throws(CBORError) -> CBORItems {
        guard kind == .array else { throw .wrongType }
        return items
    }

    /// The pairs of a map.
    public func map() throws(CBORError) -> CBORPairs {
        guard kind == .map else { throw .wrongType }
        return pairs
    }
}
