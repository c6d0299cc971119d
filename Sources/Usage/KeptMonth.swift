public import Billing
public import VerificationCore

/// A month in several shapes as it was read, with what it takes to bring it up to date without reading it all again.
///
/// The calls with a time before ``until`` are in the builder. They are still what the ledger says while no event since
/// settles or corrects something or touches such a call, which the store tells; then only the calls from there on are
/// read. Prices and names are compared as a whole: nothing of it outlives what it was made from.
public struct KeptMonth: Sendable {
    /// The month.
    public let month: BillingMonth
    /// The shapes.
    public let shapes: [[UsageGrouping]]
    /// The month in each shape.
    public let usages: [MonthlyUsage]

    let book: PriceBook
    /// The head of the ledger before it was read; `nil` for a closed month, which never changes.
    let head: Int64?
    let names: UsageNames
    let until: Timestamp
    let builder: UsageReportBuilder?
    let corrections: MonthlyUsage.Corrections?

    /// Calls younger than this are read each time: most of them are open when they are first seen.
    static let settling = Duration.seconds(3600)
    /// Past so many events, looking at each takes longer than reading the month again.
    static let mostEvents: Int64 = 100_000

    /// Whether it was made for the same question.
    public func isOf(_ month: BillingMonth, _ shapes: [[UsageGrouping]], _ book: PriceBook) -> Bool {
        // A closed month stands on its statement, whatever the prices are now.
        self.month == month && self.shapes == shapes && (head == nil || self.book == book)
    }
}

extension UsageReporter {
    /// A month in several shapes, for which it is read once, and where it was kept, only what is new in it.
    public func usages(
        of month: BillingMonth, by shapes: [[UsageGrouping]], from kept: KeptMonth?, in store: any UsageStore,
        at now: Timestamp
    ) async throws(StoreError) -> KeptMonth {
        let kept = kept.flatMap { $0.isOf(month, shapes, book) ? $0 : nil }
        // Before anything is read: what comes while it is read is seen the next time.
        let head = try await store.ledgerHead()
        if let kept, kept.head == nil || kept.head == head { return kept }
        let names = try await store.usageNames()
        let closings = try await store.closings()
        let end = self.end(of: month)
        if let base = try await valid(kept, names, head, in: store) {
            let until = min(end, max(base.until, frontier(after: base.until, at: now)))
            guard base.until < end else { return base.moved(to: head) }
            return try await reading(month, shapes, head, names, closings, from: base, until: until)
        }
        if let frozen = try await frozen(month, by: shapes, closings) {
            return KeptMonth(
                month: month, shapes: shapes, usages: frozen, book: book, head: nil, names: names, until: end,
                builder: nil, corrections: nil)
        }
        let until = min(end, now.advanced(by: .zero - KeptMonth.settling))
        return try await reading(month, shapes, head, names, closings, from: nil, until: until)
    }

    /// The first instant at which a month has ended in every zone that it is billed in.
    func end(of month: BillingMonth) -> Timestamp {
        book.verifiers.values.reduce(book.zone.range(of: month).upperBound) {
            max($0, $1.zone.range(of: month).upperBound)
        }
    }

    private func frontier(after until: Timestamp, at now: Timestamp) -> Timestamp {
        // It moves now and then, and not with each look: moving it copies everything.
        let next = now.advanced(by: .zero - KeptMonth.settling)
        return next.duration(since: until) >= KeptMonth.settling ? next : until
    }

    private func valid(
        _ kept: KeptMonth?, _ names: UsageNames, _ head: Int64, in store: any UsageStore
    ) async throws(StoreError) -> KeptMonth? {
        guard let kept, kept.names == names, let from = kept.head, (0...KeptMonth.mostEvents).contains(head - from),
            try await store.isUntouched(after: from, before: kept.until)
        else { return nil }
        return kept
    }

    private func reading(
        _ month: BillingMonth, _ shapes: [[UsageGrouping]], _ head: Int64, _ names: UsageNames,
        _ closings: [LedgerEvent], from base: KeptMonth?, until: Timestamp
    ) async throws(StoreError) -> KeptMonth {
        let beginning = Timestamp(milliseconds: .min)
        let calendar = try await calendar()
        let finest = UsageReport.everyGrouping.filter { grouping in shapes.contains { $0.contains(grouping) } }
        var builder =
            base?.builder ?? UsageReportBuilder(month: month, book: book, groupings: finest, names: names)
        let from = base?.until ?? beginning
        if from < until { try await add(to: &builder, from..<until, of: month, by: calendar) }
        var whole = builder
        let reached = max(from, until)
        let end = end(of: month)
        if reached < end { try await add(to: &whole, reached..<end, of: month, by: calendar) }
        let reports = whole.reports(by: shapes)
        // What is corrected stands on calls of closed months: by the newest book, and by those that they were closed by.
        let closed = calendar.closed.reduce(self.end(of: month.previous)) {
            max($0, UsageReporter(self.reading, book: $1.book).end(of: $1.month))
        }
        var corrections = base?.corrections
        if reached < closed { corrections = nil }
        let own: MonthlyUsage.Corrections
        if let corrections {
            own = corrections
        } else {
            own = try await self.corrections(of: month, by: calendar, after: closings)
            // A month that is not the next to be closed may become it by a call alone.
            corrections = own.isOfNext ? own : nil
        }
        return KeptMonth(
            month: month, shapes: shapes, usages: reports.map { .open($0, own) }, book: book, head: head, names: names,
            until: reached, builder: builder, corrections: corrections)
    }

    private func add(
        to builder: inout UsageReportBuilder, _ range: Range<Timestamp>, of month: BillingMonth,
        by calendar: BillingCalendar
    ) async throws(StoreError) {
        for verifier in try await reading.usageVerifiers() {
            try await eachCall(of: verifier, in: month, by: calendar, within: range) { call in
                builder.add(call)
            }
        }
    }
}

extension KeptMonth {
    fileprivate func moved(to head: Int64) -> KeptMonth {
        KeptMonth(
            month: month, shapes: shapes, usages: usages, book: book, head: head, names: names, until: until,
            builder: builder, corrections: corrections)
    }
}
