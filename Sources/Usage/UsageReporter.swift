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

    /// Usage of a month, as the ledger stands.
    public func report(
        of month: BillingMonth, by groupings: [UsageGrouping]
    ) async throws(StoreError) -> UsageReport {
        try await reports(of: month, by: [groupings])[0]
    }

    /// Usage of a month in several shapes, for which it is read once.
    public func reports(
        of month: BillingMonth, by shapes: [[UsageGrouping]]
    ) async throws(StoreError) -> [UsageReport] {
        let names = try await reading.usageNames()
        var builders = shapes.map { UsageReportBuilder(month: month, book: book, groupings: $0, names: names) }
        for verifier in try await reading.usageVerifiers() {
            try await eachCall(of: verifier, in: month) { call in
                for place in builders.indices { builders[place].add(call) }
            }
        }
        return builders.map { $0.report() }
    }

    /// Whether there is a call of a month.
    public func hasCalls(in month: BillingMonth) async throws(StoreError) -> Bool {
        for verifier in try await reading.usageVerifiers() {
            let (rule, range) = UsageReportBuilder.window(of: verifier, month: month, book: book)
            let calls = try await reading.usageCalls(
                of: verifier, by: rule, in: range, changedAfter: 0, after: nil, limit: 1)
            if !calls.isEmpty { return true }
        }
        return false
    }

    /// Gives every call of a verifier and a month, or of a part of it, to `body`, in the order of their billing times.
    public func eachCall(
        of verifier: VerifierID, in month: BillingMonth, within part: Range<Timestamp>? = nil,
        changedAfter: Int64 = 0, _ body: (UsageCall) -> Void
    ) async throws(StoreError) {
        let (rule, whole) = UsageReportBuilder.window(of: verifier, month: month, book: book)
        let range = part.map { whole.clamped(to: $0) } ?? whole
        guard !range.isEmpty else { return }
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
