/// How long calls took, in whole milliseconds. Percentiles are those of the nearest rank: a value that occurred.
public struct Latencies: Sendable {
    private var milliseconds: [UInt32] = []

    /// Nothing.
    public init() {}

    /// Adds one; what is below zero, because a clock was set, counts as zero.
    public mutating func add(_ value: Int64) {
        milliseconds.append(UInt32(clamping: value))
    }

    /// Adds all of another's.
    public mutating func add(_ other: Latencies) {
        milliseconds.append(contentsOf: other.milliseconds)
    }

    /// The values at so many per cent, in the order asked for; `nil` where nothing was added.
    public func percentiles(_ percents: [Int]) -> [UInt32]? {
        guard !milliseconds.isEmpty else { return nil }
        let sorted = milliseconds.sorted()
        return percents.map { percent in
            let rank = (sorted.count * percent + 99) / 100
            return sorted[min(max(rank, 1), sorted.count) - 1]
        }
    }
}
