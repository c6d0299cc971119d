/// Reads one item into a tape, without recursion, and without reserving what a head only claims.
///
/// While an array, map or tag is open, its node links to its parent, so that no stack of its own is needed.
struct CBORParser {
    /// What the input may cost.
    private let depthLimit: Int
    private let itemLimit: Int
    /// Where the input ends.
    private let end: Int
    /// The next byte.
    private var at: Int
    /// The tape.
    private(set) var nodes: [CBORNode] = []

    /// The innermost open array, map or tag; none where it is `outside`.
    private var open = CBORParser.outside
    /// How many items the open one still lacks; `unbounded` where a break ends it.
    private var lacking: UInt32 = 0
    /// How many items the open one has.
    private var found: UInt32 = 0
    /// How many arrays, maps, tags and embedded items enclose the next item.
    private var depth: Int

    private static let outside = UInt32.max
    private static let unbounded = UInt32.max
    /// Items in a response take some 24 bytes each; at most this many are reserved before they are seen.
    private static let greatestReserve = 512

    /// Parses the bytes of a range as one item with nothing behind it, enclosed by `depth` others.
    static func parse(
        _ bytes: borrowing Span<UInt8>, in range: Range<Int>, depth: Int, limits: CBORLimits
    ) throws(CBORError) -> [CBORNode] {
        guard range.count <= min(limits.length, CBORLimits.greatestLength) else { throw .tooLong }
        var parser = CBORParser(range: range, depth: depth, limits: limits)
        try parser.run(bytes)
        guard parser.at == parser.end else { throw .trailingBytes }
        return parser.nodes
    }

    private init(range: Range<Int>, depth: Int, limits: CBORLimits) {
        depthLimit = min(limits.depth, CBORLimits.greatestDepth)
        itemLimit = min(limits.items, CBORLimits.greatestItems)
        at = range.lowerBound
        end = range.upperBound
        self.depth = depth
        nodes.reserveCapacity(min(range.count / 24 + 4, CBORParser.greatestReserve))
    }

    private mutating func run(_ bytes: borrowing Span<UInt8>) throws(CBORError) {
        guard depth <= depthLimit else { throw .tooDeep }
        repeat {
            guard at < end else { throw .truncated }
            let initial = bytes[at]
            if initial == 0xFF {
                try closeByBreak(bytes)
            } else {
                guard nodes.count < itemLimit else { throw .tooManyItems }
                guard try item(bytes, initial) else { continue }
            }
            try countOne(bytes)
        } while open != CBORParser.outside
    }

    /// Reads one head, and the content of a string; `false` where the item has been opened and is not yet whole.
    @inline(__always)
    private mutating func item(_ bytes: borrowing Span<UInt8>, _ initial: UInt8) throws(CBORError) -> Bool {
        let head = try CBORHead.read(bytes, at: at, end: end)
        let kind = CBORItem.Kind(initial: initial)
        var node = CBORNode(start: at, next: nodes.count + 1, head: head, depth: depth, kind: kind)
        at += head.length
        switch kind {
        case .unsigned, .negative:
            guard !head.indefinite else { throw .notWellFormed }
        case .bytes, .text:
            node.count = try string(bytes, head, isText: kind == .text)
        case .array:
            return try container(head, bytesPerEntry: 1, node)
        case .map:
            return try container(head, bytesPerEntry: 2, node)
        case .tag:
            guard !head.indefinite else { throw .notWellFormed }
            try push(node, lacking: 1)
            return false
        case .simple:
            // RFC 8949 §3.3: 0 to 31 are not well-formed in two bytes.
            guard head.length == 1 || head.argument >= 32 else { throw .notWellFormed }
        case .boolean, .null, .undefined, .float:
            break
        }
        node.end = UInt32(truncatingIfNeeded: at)
        nodes.append(node)
        return true
    }

    /// An array or map: opened, or whole at once where it declares no entries.
    private mutating func container(
        _ head: CBORHead, bytesPerEntry: Int, _ node: CBORNode
    ) throws(CBORError) -> Bool {
        if head.indefinite {
            try push(node, lacking: CBORParser.unbounded)
            return false
        }
        // An entry takes at least a byte: more of them than bytes left cannot come.
        guard head.argument <= UInt64((end - at) / bytesPerEntry) else { throw .truncated }
        if head.argument == 0 {
            var whole = node
            whole.end = UInt32(truncatingIfNeeded: at)
            nodes.append(whole)
            return true
        }
        try push(node, lacking: UInt32(truncatingIfNeeded: head.argument) * UInt32(bytesPerEntry))
        return false
    }

    private mutating func push(_ node: CBORNode, lacking next: UInt32) throws(CBORError) {
        guard depth < depthLimit else { throw .tooDeep }
        if open != CBORParser.outside {
            nodes[Int(open)].end = lacking
            nodes[Int(open)].count = found
        }
        var opened = node
        opened.next = open
        open = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(opened)
        lacking = next
        found = 0
        depth += 1
    }

    private mutating func closeByBreak(_ bytes: borrowing Span<UInt8>) throws(CBORError) {
        guard open != CBORParser.outside, lacking == CBORParser.unbounded else { throw .notWellFormed }
        // A map that ends behind a key lacks a value.
        if nodes[Int(open)].kind == .map, found & 1 == 1 { throw .notWellFormed }
        at += 1
        try pop(bytes)
    }

    /// Counts a whole item in what encloses it, and closes all that is whole thereby.
    @inline(__always)
    private mutating func countOne(_ bytes: borrowing Span<UInt8>) throws(CBORError) {
        while open != CBORParser.outside {
            found += 1
            if lacking == CBORParser.unbounded { return }
            lacking -= 1
            if lacking != 0 { return }
            try pop(bytes)
        }
    }

    private mutating func pop(_ bytes: borrowing Span<UInt8>) throws(CBORError) {
        let index = Int(open)
        let parent = nodes[index].next
        let isMap = nodes[index].kind == .map
        nodes[index].end = UInt32(truncatingIfNeeded: at)
        nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
        nodes[index].count = isMap ? found / 2 : found
        if isMap { try CBORKeys.check(bytes, nodes, map: index) }
        open = parent
        depth -= 1
        if parent != CBORParser.outside {
            lacking = nodes[Int(parent)].end
            found = nodes[Int(parent)].count
        }
    }

    /// The content of a byte or text string, in one piece of declared length or in chunks; the joined length of chunks.
    @inline(__always)
    private mutating func string(
        _ bytes: borrowing Span<UInt8>, _ head: CBORHead, isText: Bool
    ) throws(CBORError) -> UInt32 {
        if head.indefinite { return try chunks(bytes, isText: isText) }
        try piece(bytes, head.argument, isText: isText)
        return 0
    }

    private mutating func chunks(_ bytes: borrowing Span<UInt8>, isText: Bool) throws(CBORError) -> UInt32 {
        let major = isText ? CBOREncoder.Major.text.rawValue : CBOREncoder.Major.bytes.rawValue
        var joined = 0
        while true {
            guard at < end else { throw .truncated }
            if bytes[at] == 0xFF { break }
            // RFC 8949 §3.2.3: chunks are of the same major type and of declared length.
            guard bytes[at] >> 5 == major else { throw .notWellFormed }
            let chunk = try CBORHead.read(bytes, at: at, end: end)
            guard !chunk.indefinite else { throw .notWellFormed }
            at += chunk.length
            let before = at
            try piece(bytes, chunk.argument, isText: isText)
            joined += at - before
        }
        at += 1
        return UInt32(truncatingIfNeeded: joined)
    }

    @inline(__always)
    private mutating func piece(
        _ bytes: borrowing Span<UInt8>, _ length: UInt64, isText: Bool
    ) throws(CBORError) {
        guard length <= UInt64(end - at) else { throw .truncated }
        let next = at + Int(truncatingIfNeeded: length)
        // RFC 8949 §3.2.3: each chunk is valid UTF-8 by itself.
        if isText, !CBORText.isUTF8(bytes, in: at..<next) { throw .invalidUTF8 }
        at = next
    }
}
