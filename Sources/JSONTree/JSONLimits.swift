/// What a text may cost to read.
public struct JSONLimits: Sendable, Hashable {
    /// The most bytes.
    public var bytes: Int
    /// The deepest nesting of arrays and objects.
    public var depth: Int
    /// The most values, counted over the whole text.
    public var values: Int

    /// Limits.
    public init(bytes: Int, depth: Int, values: Int) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// For a configuration or a request: 1 MiB is a hundred times the largest configuration that we ship, and no form
    /// of ours nests deeper than ten.
    public static let standard = JSONLimits(bytes: 1 << 20, depth: 32, values: 100_000)
}
