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
        if milliseconds.isEmpty { milliseconds = other.milliseconds } else { milliseconds += other.milliseconds }
    }

    /// The values at so many per cent, in the order asked for; `nil` where nothing was added.
    public func percentiles(_ percents: [Int]) -> [UInt32]? {
        guard let longest = milliseconds.max() else { return nil }
        let ranks = percents.map { min(max((milliseconds.count * $0 + 99) / 100, 1), milliseconds.count) }
        guard milliseconds.count >= Self.manyValues, longest < Self.longestCounted else {
            let sorted = milliseconds.sorted()
            return ranks.map { sorted[$0 - 1] }
        }
        return counted(ranks, upTo: Int(longest))
    }

    /// From so many values on, counting them is faster than sorting them.
    private static let manyValues = 10_000
    /// The longest latency that is counted, seventeen minutes: a counter for each millisecond takes 8 MB.
    private static let longestCounted: UInt32 = 1 << 20

    /// The values of some ranks, by counting how often each value occurs.
    private func counted(_ ranks: [Int], upTo longest: Int) -> [UInt32] {
        var counts = [Int](repeating: 0, count: longest + 1)
        for value in milliseconds { counts[Int(value)] += 1 }
        return ranks.map { rank in
            var seen = 0
            for (value, count) in counts.enumerated() {
                seen += count
                if seen >= rank { return UInt32(value) }
            }
            return UInt32(longest)
        }
    }
}
