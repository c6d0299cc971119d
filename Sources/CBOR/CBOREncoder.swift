/// Writes CBOR with the shortest heads (RFC 8949 §4.2.1), in the order it is told.
///
/// The writer counts: `array(count: 2)` is followed by two items, `map(count: 2)` by two keys and two values.
public struct CBOREncoder: Sendable {
    /// The major types (RFC 8949 §3.1).
    public enum Major: UInt8, Sendable, CaseIterable {
        /// Unsigned number.
        case unsigned
        /// Negative number.
        case negative
        /// Byte string.
        case bytes
        /// Text string.
        case text
        /// Array.
        case array
        /// Map.
        case map
        /// Tag.
        case tag
        /// Simple values and floating-point numbers.
        case simple
    }

    /// How wide a head is, for writers that are told not to be minimal.
    public enum Width: Int, Sendable, CaseIterable {
        /// The argument takes 1 byte behind the first.
        case one = 1
        /// The argument takes 2 bytes behind the first.
        case two = 2
        /// The argument takes 4 bytes behind the first.
        case four = 4
        /// The argument takes 8 bytes behind the first.
        case eight = 8
    }

    /// What has been written.
    public internal(set) var bytes: [UInt8] = []

    /// Starts with nothing.
    public init() {}

    /// Starts with nothing, and room for that many bytes.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// An unsigned number.
    public mutating func unsigned(_ value: UInt64) {
        CBOREncoder.appendHead(.unsigned, value, to: &bytes)
    }

    /// The number −1 − n, down to −2^64.
    public mutating func negative(_ n: UInt64) {
        CBOREncoder.appendHead(.negative, n, to: &bytes)
    }

    /// A number of either sign.
    public mutating func integer(_ value: Int64) {
        if value >= 0 { unsigned(UInt64(value)) } else { negative(UInt64(bitPattern: ~value)) }
    }

    /// A byte string.
    public mutating func byteString(_ content: some Collection<UInt8>) {
        CBOREncoder.appendHead(.bytes, UInt64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    /// A text string.
    public mutating func text(_ content: String) {
        CBOREncoder.appendHead(.text, UInt64(content.utf8.count), to: &bytes)
        bytes.append(contentsOf: content.utf8)
    }

    /// The head of an array; so many items follow.
    public mutating func array(count: Int) {
        CBOREncoder.appendHead(.array, UInt64(count), to: &bytes)
    }

    /// The head of a map; so many pairs follow.
    public mutating func map(count: Int) {
        CBOREncoder.appendHead(.map, UInt64(count), to: &bytes)
    }

    /// A tag; the item it tags follows.
    public mutating func tag(_ number: UInt64) {
        CBOREncoder.appendHead(.tag, number, to: &bytes)
    }

    /// False or true.
    public mutating func boolean(_ value: Bool) {
        bytes.append(value ? 0xF5 : 0xF4)
    }

    /// Null.
    public mutating func null() {
        bytes.append(0xF6)
    }

    /// Undefined.
    public mutating func undefined() {
        bytes.append(0xF7)
    }

    /// An item that is encoded already, spliced in as it is.
    public mutating func raw(_ encoded: some Collection<UInt8>) {
        bytes.append(contentsOf: encoded)
    }
}
