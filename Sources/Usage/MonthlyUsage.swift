public import Billing
public import VerificationCore

/// A month as finance sees it: what was done, what it costs, and what is corrected in it.
///
/// The report of a closed month comes from its statement and is never computed again. An open month holds the corrections
/// that are written of it; the one that would be closed next also those of closed months, and what settled late in them.
public struct MonthlyUsage: Sendable {
    /// The closing of a month.
    public struct Closing: Sendable {
        /// The closing's event.
        public let event: LedgerEvent
        /// How many calls were open or uncertain then.
        public let unsettled: Int
    }

    /// The month.
    public var month: BillingMonth { report.month }
    /// The report.
    public let report: UsageReport
    /// Its closing; `nil` while it is open.
    public let closing: Closing?
    /// Corrections that belong to this month's statement: money alone, whatever month they correct.
    public let adjustments: [AdjustmentSum]
    /// What settled after the closing of its own month, which this month's closing would write as corrections.
    public let late: [AdjustmentSum]
    /// How many late calls have no price.
    public let lateUnpriced: Int64

    /// What is corrected in an open month.
    struct Corrections: Sendable {
        /// Whether it is the one to be closed next, which also takes what is corrected of closed months.
        let isOfNext: Bool
        let adjustments: [AdjustmentSum]
        let late: [AdjustmentSum]
        let lateUnpriced: Int64
    }

    static func open(_ report: UsageReport, _ corrections: Corrections) -> MonthlyUsage {
        MonthlyUsage(
            report: report, closing: nil, adjustments: corrections.adjustments, late: corrections.late,
            lateUnpriced: corrections.lateUnpriced)
    }
}

extension UsageReporter {
    /// A month. A closed one that has no readable statement is `corrupt`: it is never made up for by computing.
    public func usage(of month: BillingMonth, by groupings: [UsageGrouping]) async throws(StoreError) -> MonthlyUsage {
        try await usage(of: month, byEach: [groupings])[0]
    }

    /// A month in several shapes, for which it is read once; as many as are asked for, in their order.
    public func usage(
        of month: BillingMonth, byEach shapes: [[UsageGrouping]]
    ) async throws(StoreError) -> [MonthlyUsage] {
        let closings = try await reading.closings()
        if let frozen = try await frozen(month, by: shapes, closings) { return frozen }
        let calendar = try await calendar()
        let reports = try await reports(of: month, by: shapes, calendar)
        let own = try await corrections(of: month, by: calendar, after: closings)
        return reports.map { .open($0, own) }
    }

    /// A closed month in several shapes, from its statement; `nil` where it is open.
    func frozen(
        _ month: BillingMonth, by shapes: [[UsageGrouping]], _ closings: [LedgerEvent]
    ) async throws(StoreError) -> [MonthlyUsage]? {
        guard let event = closings.last(where: { $0.draft.month == month.description }) else { return nil }
        guard let bytes = try await reading.statement(of: month.description), let statement = FrozenStatement(bytes)
        else { throw .corrupt }
        return shapes.map { groupings in
            MonthlyUsage(
                report: statement.report(by: groupings),
                closing: MonthlyUsage.Closing(event: event, unsettled: statement.unsettled),
                adjustments: statement.adjustmentSums, late: [], lateUnpriced: 0)
        }
    }

    /// What is corrected in an open month; where no other month is closed before it, also what is corrected of closed ones.
    func corrections(
        of month: BillingMonth, by calendar: BillingCalendar, after closings: [LedgerEvent]
    ) async throws(StoreError) -> MonthlyUsage.Corrections {
        let pending = PendingCorrections(try await reading.settlements(after: 0), closings: closings)
        guard try await isNext(month, by: calendar) else {
            return MonthlyUsage.Corrections(
                isOfNext: false, adjustments: Self.sums(of: pending.correcting(month)), late: [], lateUnpriced: 0)
        }
        let (late, unpriced) = try await lateSums(by: calendar)
        return MonthlyUsage.Corrections(
            isOfNext: true, adjustments: Self.sums(of: pending.taken(by: month)), late: late, lateUnpriced: unpriced)
    }

    /// Whether a month is the one to be closed next. Months without a call may be passed over, but what is late is shown in
    /// one month and not in every one after it.
    private func isNext(_ month: BillingMonth, by calendar: BillingCalendar) async throws(StoreError) -> Bool {
        guard try await monthToCloseBefore(month, by: calendar) == nil else { return false }
        guard let following = calendar.closed.map(\.month).max()?.next, month > following else { return true }
        return try await earliestOpen(by: calendar) == month
    }

    private static func sums(of corrections: [LedgerEvent]) -> [AdjustmentSum] {
        var sums = AdjustmentSums()
        for event in corrections {
            guard let amount = event.draft.amount, let currency = event.draft.currency.flatMap({ Currency($0) }) else {
                continue
            }
            sums.add(
                ExactAmount(millionths: amount), currency, verifier: event.draft.verifier,
                month: event.draft.month.flatMap { BillingMonth($0) })
        }
        return sums.list
    }

    private func lateSums(
        by calendar: BillingCalendar
    ) async throws(StoreError) -> (sums: [AdjustmentSum], unpriced: Int64) {
        var sums = AdjustmentSums()
        var unpriced: Int64 = 0
        for call in try await lateCalls(by: calendar) {
            if let amount = call.amount, let currency = call.currency {
                sums.add(amount, currency, verifier: call.verifier, month: call.month)
            } else if call.call.billableClass != .nonBillable {
                unpriced += call.call.quantity
            }
        }
        return (sums.list, unpriced)
    }
}
