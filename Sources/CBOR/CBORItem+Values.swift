extension CBORItem {
    /// The value of an unsigned number.
    public func unsigned() throws(CBORError) -> UInt64 {
        guard kind == .unsigned else { throw .wrongType }
        return argument
    }

    /// The value of a number; one outside the range of `Int64` is refused, never cut.
    public func integer() throws(CBORError) -> Int64 {
        guard let value = exactInteger else { throw .wrongType }
        return value
    }

    var exactInteger: Int64? {
        switch kind {
        case .unsigned: Int64(exactly: argument)
        // RFC 8949 §3.1: the value is −1 − n.
        case .negative: Int64(exactly: argument).map { -1 - $0 }
        default: nil
        }
    }

    /// The content of a byte string: a slice of the original, or the chunks joined.
    public func bytes() throws(CBORError) -> ArraySlice<UInt8> {
        guard kind == .bytes else { throw .wrongType }
        return content
    }

    /// The content of a text string, exactly as received.
    public func text() throws(CBORError) -> String {
        guard kind == .text else { throw .wrongType }
        return String(decoding: content, as: UTF8.self)
    }

    /// The bytes of a text string, exactly as received.
    public func textBytes() throws(CBORError) -> ArraySlice<UInt8> {
        guard kind == .text else { throw .wrongType }
        return content
    }

    var content: ArraySlice<UInt8> {
        let node = node
        guard node.indefinite else { return storage.bytes[node.content] }
        let bytes = storage.bytes
        return CBORChunks.joined(bytes.span, node)[...]
    }

    /// False or true.
    public func boolean() throws(CBORError) -> Bool {
        guard kind == .boolean else { throw .wrongType }
        return argument == 21
    }

    /// The value of a floating-point number of any width.
    public func double() throws(CBORError) -> Double {
        guard kind == .float else { throw .wrongType }
        return CBORFloat.value(argument, head: node.head)
    }

    /// The number of a simple value without a name.
    public func simple() throws(CBORError) -> UInt8 {
        guard kind == .simple else { throw .wrongType }
        return UInt8(truncatingIfNeeded: argument)
    }

    /// The number of the tag; `nil` where the item has none.
    public var tagNumber: UInt64? { kind == .tag ? argument : nil }

    /// What is tagged, where the tag is the one expected.
    public func tag(_ expected: UInt64) throws(CBORError) -> CBORItem {
        guard tagNumber == expected else { throw .wrongType }
        return CBORItem(storage: storage, index: index + 1)
    }

    /// What is tagged, whatever the tag; `nil` where the item has none.
    public var tagged: CBORItem? { kind == .tag ? CBORItem(storage: storage, index: index + 1) : nil }
}
