/// An instant in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The core has no clock: whatever needs the time takes it as an argument.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Milliseconds since the epoch; negative before it.
    public let milliseconds: Int64

    /// An instant from milliseconds since the epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// An instant from whole seconds since the epoch.
    public init(seconds: Int64) {
        self.milliseconds = seconds * 1000
    }

    /// Orders by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant `duration` later, saturating at the ends of the range; parts of a millisecond are dropped.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let step = overflow ? (seconds < 0 ? Int64.min : Int64.max) : scaled
        let (sum, tooFar) = milliseconds.addingReportingOverflow(step)
        if tooFar || overflow { return Timestamp(milliseconds: step < 0 ? .min : .max) }
        let (whole, last) = sum.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return Timestamp(milliseconds: last ? sum : whole)
    }

    /// The time from `earlier` to this instant.
    public func duration(since earlier: Timestamp) -> Duration {
        .milliseconds(milliseconds.subtractingReportingOverflow(earlier.milliseconds).partialValue)
    }
}
