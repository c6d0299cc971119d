/// The head of an item: its major type and its argument (RFC 8949 §3).
struct CBORHead {
    /// The argument; the additional information itself where it is below 24.
    var argument: UInt64
    /// How many bytes the head takes.
    var length: Int
    /// Whether the additional information is 31.
    var indefinite: Bool

    /// Reads the head at an offset; `end` is where the input ends.
    @inline(__always)
    static func read(_ bytes: borrowing Span<UInt8>, at offset: Int, end: Int) throws(CBORError) -> CBORHead {
        let information = bytes[offset] & 0x1F
        if information < 24 { return CBORHead(argument: UInt64(information), length: 1, indefinite: false) }
        if information < 28 {
            let width = 1 << (Int(information) - 24)
            guard end - offset > width else { throw .truncated }
            return CBORHead(
                argument: argument(bytes, at: offset, head: 1 + width), length: 1 + width, indefinite: false)
        }
        // 28 to 30 are reserved (RFC 8949 §3).
        guard information == 31 else { throw .notWellFormed }
        return CBORHead(argument: 0, length: 1, indefinite: true)
    }

    /// The argument of a head that has been read before, and takes that many bytes.
    @inline(__always)
    static func argument(_ bytes: borrowing Span<UInt8>, at offset: Int, head: Int) -> UInt64 {
        if head == 1 { return UInt64(bytes[offset] & 0x1F) }
        var argument: UInt64 = 0
        for index in offset + 1..<offset + head { argument = argument << 8 | UInt64(bytes[index]) }
        return argument
    }
}
