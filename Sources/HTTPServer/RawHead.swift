/// The head of a request as it came off the wire, before anything in it is believed.
struct RawHead: Sendable {
    var method: [UInt8]
    var target: [UInt8]
    var version: [UInt8]
    var fields: [(name: [UInt8], value: [UInt8])]
    /// The length on the wire, from the method to the empty line.
    var size: Int
    /// Whether the head is `method SP target SP version CRLF *(name ":" OWS value CRLF) CRLF`, byte for byte.
    var isExact: Bool
}
