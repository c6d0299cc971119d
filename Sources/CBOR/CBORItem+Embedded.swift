extension CBORItem {
    /// The tag of a byte string that holds an encoded item (RFC 8949 §3.4.5.1).
    public static let embeddedTag: UInt64 = 24

    /// The item inside `#6.24(bstr .cbor X)`, as a document of its own over the same bytes.
    ///
    /// It stands as deep as its byte string: items embedded in each other share one limit of depth.
    public func embedded(limits: CBORLimits? = nil) throws(CBORError) -> CBORDocument {
        try tag(CBORItem.embeddedTag).contents(limits: limits)
    }

    /// The item inside `bstr .cbor X`, a byte string without a tag, as a document of its own over the same bytes.
    public func contents(limits: CBORLimits? = nil) throws(CBORError) -> CBORDocument {
        let node = node
        guard node.kind == .bytes else { throw .wrongType }
        let limits = limits ?? storage.limits
        let depth = node.depth + 1
        guard node.indefinite else {
            return try CBORDocument(storage.bytes, in: node.content, depth: depth, limits: limits)
        }
        let bytes = storage.bytes
        let joined = CBORChunks.joined(bytes.span, node)
        return try CBORDocument(joined, in: 0..<joined.count, depth: depth, limits: limits)
    }
}
