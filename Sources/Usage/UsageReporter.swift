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

    /// Usage of a month by this book alone, as the ledger stands: what a month would be that nobody had closed.
    public func report(
        of month: BillingMonth, by groupings: [UsageGrouping]
    ) async throws(StoreError) -> UsageReport {
        try await reports(of: month, by: [groupings])[0]
    }

    /// The same in several shapes, for which the month is read once.
    public func reports(
        of month: BillingMonth, by shapes: [[UsageGrouping]]
    ) async throws(StoreError) -> [UsageReport] {
        try await reports(of: month, by: shapes, BillingCalendar(book: book, closed: [], takenIn: [:]))
    }

    /// Usage of the calls that a calendar has in a month.
    func reports(
        of month: BillingMonth, by shapes: [[UsageGrouping]], _ calendar: BillingCalendar
    ) async throws(StoreError) -> [UsageReport] {
        let names = try await reading.usageNames()
        var builders = shapes.map { UsageReportBuilder(month: month, book: book, groupings: $0, names: names) }
        for verifier in try await reading.usageVerifiers() {
            try await eachCall(of: verifier, in: month, by: calendar) { call in
                for place in builders.indices { builders[place].add(call) }
            }
        }
        return builders.map { $0.report() }
    }

    /// Gives every call of a verifier to `body` whose time by a rule lies in a range, in the order of those times.
    func eachCall(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64 = 0,
        _ body: (UsageCall) -> Void
    ) async throws(StoreError) {
        let pages = Pages(reading: reading, verifier: verifier, rule: rule, range: range, changedAfter: changedAfter)
        var page = try await pages.page(after: nil).get()
        while page.count == Self.pageSize, let last = page.last {
            let cursor = UsageCursor(time: last.time(by: rule), sequence: last.sequence)
            // The store reads on its own thread while this page is worked through.
            async let next = pages.page(after: cursor)
            for call in page { body(call) }
            page = try await next.get()
        }
        for call in page { body(call) }
    }

    /// Calls of a verifier, page by page.
    private struct Pages: Sendable {
        let reading: any UsageReading
        let verifier: VerifierID
        let rule: BillingTime
        let range: Range<Timestamp>
        let changedAfter: Int64

        func page(after cursor: UsageCursor?) async -> Result<[UsageCall], StoreError> {
            do throws(StoreError) {
                return .success(
                    try await reading.usageCalls(
                        of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor,
                        limit: UsageReporter.pageSize))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Gives every call to `body` that this book has in a month, in the order of their billing times.
    public func eachCall(
        of verifier: VerifierID, in month: BillingMonth, _ body: (UsageCall) -> Void
    ) async throws(StoreError) {
        let (rule, range) = UsageReportBuilder.window(of: verifier, month: month, book: book)
        try await eachCall(of: verifier, by: rule, in: range, body)
    }
}
