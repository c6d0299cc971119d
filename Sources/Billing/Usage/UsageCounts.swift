/// What is counted of some calls. Attempts are counted by their submission.
public struct UsageCounts: Sendable, Hashable {
    /// Attempts, whatever came of them.
    public var attempts: Int64 = 0
    /// Attempts whose verdict was verified.
    public var verified: Int64 = 0
    /// Attempts whose verdict was rejected.
    public var rejected: Int64 = 0
    /// Attempts without a verdict.
    public var failed: Int64 = 0
    /// Calls whose answer was lost or never written: they may have billed, and are in no sum.
    public var uncertain: Int64 = 0
    /// What counts as billed, in quantities of all classes.
    public var billable: Int64 = 0
    /// The part of it that has no price.
    public var unpriced: Int64 = 0

    /// Nothing.
    public init() {}

    /// The sums.
    public static func + (left: UsageCounts, right: UsageCounts) -> UsageCounts {
        var sum = left
        sum.attempts += right.attempts
        sum.verified += right.verified
        sum.rejected += right.rejected
        sum.failed += right.failed
        sum.uncertain += right.uncertain
        sum.billable += right.billable
        sum.unpriced += right.unpriced
        return sum
    }
}
