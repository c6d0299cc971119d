/// One item on the tape: where it is in the bytes, and where the next one is on the tape.
///
/// The children of an array, map or tag follow it on the tape, so a document is walked without recursion and
/// freed at once.
struct CBORNode {
    /// The offset of its first byte.
    var start: UInt32
    /// The offset behind its last byte; while an array or map is still open, how many items it lacks.
    var end: UInt32
    /// The tape index of what follows its last descendant; while it is still open, that of its parent.
    var next: UInt32
    /// The items of an array, the pairs of a map, the joined length of a string in chunks.
    var count: UInt32
    /// How many bytes its head takes.
    var head: UInt8
    /// How many arrays, maps, tags and embedded items enclose it.
    var depth: UInt8
    /// What it is.
    var kind: CBORItem.Kind
    /// Whether its length is not declared but ended by a break (RFC 8949 §3.2).
    var indefinite: Bool

    /// Where the content of a string of declared length is.
    var content: Range<Int> { Int(start) + Int(head)..<Int(end) }
}

/// The bytes and the tape of one document, shared by all its items.
final class CBORStorage: Sendable {
    let bytes: [UInt8]
    let nodes: [CBORNode]
    let limits: CBORLimits

    init(bytes: [UInt8], nodes: [CBORNode], limits: CBORLimits) {
        self.bytes = bytes
        self.nodes = nodes
        self.limits = limits
    }
}
