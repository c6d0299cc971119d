/// One CBOR item with all it holds: the bytes as received, and a flat index of them.
///
/// Whatever parses is one well-formed item with nothing behind it, within the limits, with valid UTF-8 and without
/// a duplicate key anywhere (RFC 8949 §5.3). Non-minimal heads, indefinite lengths and any order of map keys are
/// accepted: issuers in the field use them, and digests are over the bytes as received.
public struct CBORDocument: Sendable {
    let storage: CBORStorage

    /// Parses bytes that are one item.
    public init(_ bytes: [UInt8], limits: CBORLimits = .standard) throws(CBORError) {
        try self.init(bytes, in: bytes.startIndex..<bytes.endIndex, depth: 0, limits: limits)
    }

    /// Parses bytes that are one item.
    public init(_ bytes: ArraySlice<UInt8>, limits: CBORLimits = .standard) throws(CBORError) {
        // Judged before the copy.
        guard bytes.count <= limits.length else { throw .tooLong }
        try self.init([UInt8](bytes), limits: limits)
    }

    init(_ bytes: [UInt8], in range: Range<Int>, depth: Int, limits: CBORLimits) throws(CBORError) {
        guard range.upperBound <= CBORLimits.greatestLength else { throw .tooLong }
        let nodes = try CBORParser.parse(bytes.span, in: range, depth: depth, limits: limits)
        storage = CBORStorage(bytes: bytes, nodes: nodes, limits: limits)
    }

    /// The item.
    public var root: CBORItem { CBORItem(storage: storage, index: 0) }
}
