/// Why a CBOR item is refused, or why it is not what was asked for.
public enum CBORError: Error, Sendable, Equatable, CaseIterable {
    /// The input ends inside an item, or a declared length or count is more than the rest of it can hold.
    case truncated
    /// There are bytes after the one item.
    case trailingBytes
    /// Arrays, maps, tags and embedded items are nested deeper than the limit.
    case tooDeep
    /// There are more items than the limit.
    case tooManyItems
    /// The input is longer than the limit.
    case tooLong
    /// The bytes are not well-formed (RFC 8949 §5.3.1 and appendix F).
    case notWellFormed
    /// A text string, or one chunk of it, is not UTF-8 (RFC 8949 §3.1).
    case invalidUTF8
    /// A map has one key twice, compared by value (RFC 8949 §5.6).
    case duplicateKey
    /// The item is of another type than asked for, or its value does not fit.
    case wrongType
    /// A map lacks a key that is required.
    case missingKey
}
