/// What calls came to.
public struct CircuitCounts: Sendable, Hashable {
    /// Calls that were answered.
    public internal(set) var answered = 0
    /// Calls that failed, by class.
    public internal(set) var failed: [CircuitFailure: Int] = [:]

    /// Nothing counted.
    public init() {}

    /// All failures.
    public var failures: Int { failed.values.reduce(0, +) }
    /// All calls.
    public var calls: Int { answered + failures }

    mutating func add(_ outcome: CircuitOutcome) {
        switch outcome {
        case .answered: answered += 1
        case .failed(let failure): failed[failure, default: 0] += 1
        case .nothing: break
        }
    }

    mutating func add(_ other: CircuitCounts) {
        answered += other.answered
        failed.merge(other.failed, uniquingKeysWith: +)
    }
}

/// Counts of a window that moves with the time, in slices: the oldest slice falls out as a whole, so nothing grows with
/// the number of calls.
struct RollingCounts: Sendable, Hashable {
    /// How many slices a window has: an outcome is forgotten at most a tenth of the window too early.
    static let slices = 10

    private var slices: [(number: Int64, counts: CircuitCounts)] = []

    mutating func add(_ outcome: CircuitOutcome, window: Duration, at now: Duration) {
        guard outcome != .nothing else { return }
        let number = RollingCounts.number(window: window, at: now)
        forget(before: number)
        if slices.last?.number != number { slices.append((number, CircuitCounts())) }
        slices[slices.count - 1].counts.add(outcome)
    }

    func counts(window: Duration, at now: Duration) -> CircuitCounts {
        let number = RollingCounts.number(window: window, at: now)
        return slices.reduce(into: CircuitCounts()) { sum, slice in
            if slice.number > number - Int64(RollingCounts.slices) { sum.add(slice.counts) }
        }
    }

    private mutating func forget(before number: Int64) {
        slices.removeAll { $0.number <= number - Int64(RollingCounts.slices) || $0.number > number }
    }

    /// The number of the slice that an instant lies in.
    private static func number(window: Duration, at now: Duration) -> Int64 {
        Int64(now / (window / slices))
    }

    static func == (left: RollingCounts, right: RollingCounts) -> Bool {
        left.slices.elementsEqual(right.slices) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for slice in slices {
            hasher.combine(slice.number)
            hasher.combine(slice.counts)
        }
    }
}
