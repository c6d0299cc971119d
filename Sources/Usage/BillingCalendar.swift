import Billing
import VerificationCore

/// Says in which month each call is billed: in one, whatever becomes of the price book later.
///
/// A closed month keeps the calls that the zone and the `month_by` of its own book gave it, and what a later closing took
/// in for it. The newest book has a say of the others alone; where it puts one of them into a month that is closed, the
/// call is late for that month.
struct BillingCalendar: Sendable {
    /// A month that is closed.
    struct ClosedMonth: Sendable {
        let month: BillingMonth
        /// The sequence number of its `closed`.
        let closing: Int64
        /// What it was closed by.
        let book: PriceBook
    }

    let book: PriceBook
    /// In the order of their closings.
    let closed: [ClosedMonth]
    /// The months of calls that were taken in late, by the numbers of the events that settled them.
    let takenIn: [Int64: BillingMonth]

    func closedMonth(_ month: BillingMonth) -> ClosedMonth? { closed.first { $0.month == month } }

    /// The calendar of one verifier.
    func of(_ verifier: VerifierID) -> VerifierCalendar {
        let prices = book.verifiers[verifier]
        let windows = closed.map { entry in
            let (rule, range) = UsageReportBuilder.window(of: verifier, month: entry.month, book: entry.book)
            return VerifierCalendar.Window(month: entry.month, closing: entry.closing, rule: rule, range: range)
        }
        return VerifierCalendar(
            rule: prices?.billingTime ?? .ended, zone: prices?.zone ?? book.zone, closed: windows, takenIn: takenIn)
    }
}

/// In which month each call of a verifier is billed.
struct VerifierCalendar: Sendable {
    /// What a closed month has taken of the verifier's calls.
    struct Window: Sendable {
        let month: BillingMonth
        let closing: Int64
        let rule: BillingTime
        let range: Range<Timestamp>

        func holds(_ call: UsageCall) -> Bool { range.contains(call.time(by: rule)) }
    }

    /// Calls to be looked through for those of a month.
    struct Search: Sendable {
        let rule: BillingTime
        let range: Range<Timestamp>
        /// Which of them are the month's; `nil` where all are.
        let accepts: (@Sendable (UsageCall) -> Bool)?
    }

    /// By the newest book.
    let rule: BillingTime
    let zone: BillingZone
    let closed: [Window]
    let takenIn: [Int64: BillingMonth]
    /// Whether some closed month has other instants than the newest book would give it.
    private let hasMoved: Bool

    init(rule: BillingTime, zone: BillingZone, closed: [Window], takenIn: [Int64: BillingMonth]) {
        self.rule = rule
        self.zone = zone
        self.closed = closed
        self.takenIn = takenIn
        hasMoved = closed.contains { $0.rule != rule || $0.range != zone.range(of: $0.month) }
    }

    /// The closed month whose own book has the call in it: the one that was closed first.
    func window(of call: UsageCall) -> Window? { closed.first { $0.holds(call) } }

    /// The month of a call.
    func month(of call: UsageCall) -> BillingMonth {
        takenIn[call.lastSequence] ?? window(of: call)?.month ?? zone.month(of: call.time(by: rule))
    }

    /// The time that puts a call into its month.
    func time(of call: UsageCall) -> Timestamp { call.time(by: window(of: call)?.rule ?? rule) }

    /// Whether a call of a closed month is in its statement, or was taken in since.
    func isAccountedFor(_ call: UsageCall) -> Bool {
        takenIn[call.lastSequence] != nil || window(of: call).map { call.lastSequence <= $0.closing } ?? false
    }

    /// Where the calls of a month are.
    func searches(for month: BillingMonth) -> [Search] {
        let newest = zone.range(of: month)
        guard hasMoved else { return [Search(rule: rule, range: newest, accepts: nil)] }
        let own = Search(rule: rule, range: newest) { self.window(of: $0) == nil && self.month(of: $0) == month }
        guard let window = closed.first(where: { $0.month == month }) else { return [own] }
        return [Search(rule: window.rule, range: window.range) { self.month(of: $0) == month }, own]
    }

    /// Where the calls are that are late: those that an event after the last closing left in a closed month, and those
    /// that only the newest book has in one.
    func searchesForLate() -> [(rule: BillingTime, range: Range<Timestamp>, changedAfter: Int64)] {
        guard let last = closed.last else { return [] }
        let always = Timestamp(milliseconds: .min)
        let newestEnd = closed.map { zone.range(of: $0.month).upperBound }.max() ?? always
        var ends = [rule: newestEnd]
        for window in closed { ends[window.rule] = max(ends[window.rule] ?? always, window.range.upperBound) }
        var searches = ends.map { (rule: $0.key, range: always..<$0.value, changedAfter: last.closing) }
        // Whatever the books before had in a closed month was taken in by the closings before.
        if last.rule != rule || last.range != zone.range(of: last.month) {
            let end = last.rule == rule ? newestEnd : Timestamp(milliseconds: .max)
            if last.range.upperBound < end {
                searches.append((rule: last.rule, range: last.range.upperBound..<end, changedAfter: 0))
            }
        }
        return searches
    }
}

extension UsageReporter {
    /// The calendar as the closings have left it. A closed month whose statement cannot be read is `corrupt`.
    func calendar() async throws(StoreError) -> BillingCalendar {
        var closed: [BillingCalendar.ClosedMonth] = []
        for event in try await reading.closings() {
            guard let month = event.draft.month.flatMap({ BillingMonth($0) }) else { continue }
            guard let statement = try await reading.statement(of: month.description) else { throw .corrupt }
            // Statements of the first layout do not say: the newest book must do for their months.
            let own = Statement.hasPrices(statement) ? FrozenStatement.prices(of: statement) : book
            guard let own else { throw .corrupt }
            closed.append(BillingCalendar.ClosedMonth(month: month, closing: event.sequence, book: own))
        }
        guard let first = closed.first else { return BillingCalendar(book: book, closed: [], takenIn: [:]) }
        var takenIn: [Int64: BillingMonth] = [:]
        for draft in try await reading.settlements(after: first.closing).map(\.draft) where draft.isLateCall {
            guard let settled = draft.settles, let month = draft.month.flatMap({ BillingMonth($0) }) else { continue }
            takenIn[settled] = month
        }
        return BillingCalendar(book: book, closed: closed, takenIn: takenIn)
    }

    /// Gives every call of a month, or of a part of it, to `body`: in the order of their billing times, those last that
    /// only the newest book has in a closed month.
    func eachCall(
        of verifier: VerifierID, in month: BillingMonth, by calendar: BillingCalendar,
        within part: Range<Timestamp>? = nil, _ body: (UsageCall) -> Void
    ) async throws(StoreError) {
        for search in calendar.of(verifier).searches(for: month) {
            let range = part.map { search.range.clamped(to: $0) } ?? search.range
            guard !range.isEmpty else { continue }
            try await eachCall(of: verifier, by: search.rule, in: range) { call in
                if let accepts = search.accepts, !accepts(call) { return }
                body(call)
            }
        }
    }

    /// The month that is to be closed before another one: the first that has calls and is open, or the one after the
    /// last that is closed. `nil` where the other may be closed, as far as the order goes; then it takes what is late.
    func monthToCloseBefore(
        _ month: BillingMonth, by calendar: BillingCalendar
    ) async throws(StoreError) -> BillingMonth? {
        let earliest = try await earliestOpen(by: calendar)
        if let earliest, earliest <= month { return earliest == month ? nil : earliest }
        guard let following = calendar.closed.map(\.month).max()?.next, month < following else { return nil }
        return min(following, earliest ?? following)
    }

    /// Calls read at once after the first, which nearly always decides: only a closed month that holds them by a book of
    /// before makes one look further.
    private static let glance = 100

    /// The first open month that has a call.
    func earliestOpen(by calendar: BillingCalendar) async throws(StoreError) -> BillingMonth? {
        let closed = Set(calendar.closed.map(\.month))
        var earliest: BillingMonth?
        for verifier in try await reading.usageVerifiers() {
            let own = calendar.of(verifier)
            var from = Timestamp(milliseconds: .min)
            var cursor: UsageCursor?
            var limit = 1
            search: while true {
                let page = try await reading.usageCalls(
                    of: verifier, by: own.rule, in: from..<Timestamp(milliseconds: .max), changedAfter: 0,
                    after: cursor, limit: limit)
                for call in page {
                    let newest = own.zone.month(of: call.time(by: own.rule))
                    if closed.contains(newest) {
                        // From the end of one closed month to the next, so that a closed month is not read.
                        from = own.zone.range(of: newest).upperBound
                        cursor = nil
                        continue search
                    }
                    guard closed.contains(own.month(of: call)) else {
                        earliest = min(earliest ?? newest, newest)
                        break search
                    }
                }
                guard page.count == limit, let last = page.last else { break }
                limit = Self.glance
                cursor = UsageCursor(time: last.time(by: own.rule), sequence: last.sequence)
            }
        }
        return earliest
    }
}
