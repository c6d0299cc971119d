public import Billing
public import VerificationCore

/// Makes reports from what a store holds.
public struct UsageReporter: Sendable {
    /// Calls read at once: a few hundred bytes each, so that a million of them never lie in memory together.
    static let pageSize = 10_000

    /// What is read.
    public let reading: any UsageReading
    /// The prices.
    public let book: PriceBook

    /// A reporter.
    public init(_ reading: any UsageReading, book: PriceBook) {
        self.reading = reading
        self.book = book
    }

    /// Usage of a month.
    ///
    /// `until` leaves out calls whose last event came later, which a closed month's statement did not hold either; their
    /// state then was another, so a call that was open counts as open.
    public func report(
        of month: BillingMonth, by groupings: [UsageGrouping]
    ) async throws(StoreError) -> UsageReport {
        var builder = UsageReportBuilder(
            month: month, book: book, groupings: groupings, names: try await reading.usageNames())
        for verifier in try await reading.usageVerifiers() {
            try await eachCall(of: verifier, in: month) { builder.add($0) }
        }
        return builder.report()
    }

    /// Gives every call of a verifier and a month to `body`, in the order of their billing times.
    public func eachCall(
        of verifier: VerifierID, in month: BillingMonth, changedAfter: Int64 = 0, _ body: (UsageCall) -> Void
    ) async throws(StoreError) {
        let (rule, range) = UsageReportBuilder.window(of: verifier, month: month, book: book)
        var cursor: UsageCursor?
        while true {
            let page = try await reading.usageCalls(
                of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor, limit: Self.pageSize)
            for call in page { body(call) }
            guard page.count == Self.pageSize, let last = page.last else { return }
            cursor = UsageCursor(time: last.time(by: rule), sequence: last.sequence)
        }
    }

    /// The closing of a month, or `nil` while it is open.
    public func closing(of month: BillingMonth) async throws(StoreError) -> LedgerEvent? {
        try await reading.closings().last { $0.draft.month == month.description }
    }
}
