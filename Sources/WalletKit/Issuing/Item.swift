import CBOR

/// A CBOR item to be encoded, and edited before it is.
public indirect enum Item: Sendable, Hashable {
    case unsigned(UInt64)
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([Item])
    case map([Pair])
    case tag(UInt64, Item)
    case boolean(Bool)
    case null
    case undefined
    /// Bytes that are CBOR already, spliced in as they are.
    case raw([UInt8])

    /// A key and its value.
    public struct Pair: Sendable, Hashable {
        /// The key.
        public var key: Item
        /// The value.
        public var value: Item

        /// A pair.
        public init(_ key: Item, _ value: Item) {
            self.key = key
            self.value = value
        }
    }

    /// A map with text keys, in this order.
    public static func record(_ members: KeyValuePairs<String, Item>) -> Item {
        .map(members.map { Pair(.text($0.key), $0.value) })
    }

    /// `#6.24(bstr .cbor X)`: an item as bytes under tag 24 (RFC 8949 section 3.4.5.1).
    public static func embedded(_ encoded: [UInt8]) -> Item { .tag(24, .bytes(encoded)) }

    /// The value under a text key of a map; setting `nil` removes it, setting a new key adds it at the end.
    public subscript(_ key: String) -> Item? {
        get { self[.text(key)] }
        set { self[.text(key)] = newValue }
    }

    /// The value under a key of a map.
    public subscript(_ key: Item) -> Item? {
        get {
            guard case .map(let pairs) = self else { return nil }
            return pairs.first { $0.key == key }?.value
        }
        set {
            guard case .map(var pairs) = self else { return }
            let index = pairs.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): pairs[index].value = value
            case (let index?, nil): pairs.remove(at: index)
            case (nil, let value?): pairs.append(Pair(key, value))
            case (nil, nil): break
            }
            self = .map(pairs)
        }
    }

    /// The item's bytes in this style.
    public func encoded(_ style: EncodingStyle = .plain) -> [UInt8] {
        switch self {
        case .raw(let bytes): return bytes
        case .unsigned(let value): return style.head(0, value)
        case .integer(let value):
            return value >= 0 ? style.head(0, UInt64(value)) : style.head(1, UInt64(-1 - value))
        case .bytes(let bytes): return style.string(2, bytes)
        case .text(let text): return style.string(3, Array(text.utf8))
        case .tag(let number, let item): return style.tag(number) + item.encoded(style)
        case .array(let items):
            return style.container(4, count: items.count, items.flatMap { $0.encoded(style) })
        case .map(let pairs):
            let members = style.ordered(pairs.map { ($0.key.encoded(style), $0.value.encoded(style)) })
            return style.container(5, count: pairs.count, members.flatMap { $0.0 + $0.1 })
        case .boolean, .null, .undefined: return simple
        }
    }

    private var simple: [UInt8] {
        var encoder = CBOREncoder()
        switch self {
        case .boolean(let value): encoder.boolean(value)
        case .null: encoder.null()
        case .undefined, .unsigned, .integer, .bytes, .text, .array, .map, .tag, .raw: encoder.undefined()
        }
        return encoder.bytes
    }
}
