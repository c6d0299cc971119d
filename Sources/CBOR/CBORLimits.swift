/// What one CBOR input may cost.
public struct CBORLimits: Sendable, Equatable {
    /// How many arrays, maps, tags and embedded items may enclose an item.
    public var depth: Int
    /// How many items one document may hold.
    public var items: Int
    /// How many bytes one document may be long.
    public var length: Int

    /// No depth above this is honoured: the depth of a node is one byte on the tape.
    static let greatestDepth = 128
    /// No count above this is honoured: it bounds the tape (20 bytes an item) whatever a caller asks for.
    static let greatestItems = 1 << 24
    /// No length above this is honoured: offsets on the tape are 32 bits.
    static let greatestLength = Int(Int32.max)

    /// Limits of one's own.
    public init(depth: Int, items: Int, length: Int) {
        self.depth = depth
        self.items = items
        self.length = length
    }

    /// A response nests some 12 levels, holds some hundred items, and stays under 100 kB in all that was seen in
    /// the field; a signed list of issuers is larger in items, not in depth.
    public static let standard = CBORLimits(depth: 32, items: 100_000, length: 4 << 20)
}
