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
    /// Four bytes in one: the length of the head, the depth, the kind, and whether a break ends the item. They are
    /// written as one number because four small writes and one wide read stall the processor for every item.
    private var packed: UInt32

    /// One item whose end is not known yet.
    @inline(__always)
    init(start: Int, next: Int, head: CBORHead, depth: Int, kind: CBORItem.Kind) {
        self.start = UInt32(truncatingIfNeeded: start)
        end = 0
        self.next = UInt32(truncatingIfNeeded: next)
        count = 0
        packed =
            UInt32(truncatingIfNeeded: head.length) | UInt32(truncatingIfNeeded: depth) << 8
            | UInt32(kind.rawValue) << 16 | (head.indefinite ? 1 << 24 : 0)
    }

    /// How many bytes its head takes.
    var head: Int { Int(packed & 0xFF) }
    /// How many arrays, maps, tags and embedded items enclose it.
    var depth: Int { Int(packed >> 8 & 0xFF) }
    /// What it is.
    var kind: CBORItem.Kind { CBORItem.Kind(rawValue: UInt8(truncatingIfNeeded: packed >> 16)) ?? .undefined }
    /// Whether its length is not declared but ended by a break (RFC 8949 §3.2).
    var indefinite: Bool { packed >> 24 != 0 }

    /// Where the content of a string of declared length is.
    var content: Range<Int> { Int(start) + head..<Int(end) }
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
