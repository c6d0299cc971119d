public import VerificationCore

/// A month of the billing calendar, written `2026-11`. Which instants it holds is its zone's to say.
public struct BillingMonth: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int

    /// Reads `YYYY-MM` and nothing else.
    public init?(_ text: String) {
        guard text.utf8.count == 7, let first = CivilDate(text + "-01") else { return nil }
        self.init(of: first)
    }

    /// The month that a day is in.
    public init(of day: CivilDate) {
        year = day.year
        month = day.month
    }

    private init(year: Int, month: Int) {
        self.year = year
        self.month = month
    }

    /// The month after.
    public var next: BillingMonth {
        month == 12 ? BillingMonth(year: year + 1, month: 1) : BillingMonth(year: year, month: month + 1)
    }

    /// The month before.
    public var previous: BillingMonth {
        month == 1 ? BillingMonth(year: year - 1, month: 12) : BillingMonth(year: year, month: month - 1)
    }

    /// Days from 1970-01-01 to its first day.
    var firstDay: Int64 {
        // Every month has a first day, and a year beyond the calendar's range has none that anybody is billed for.
        CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0
    }

    /// Its days in order.
    public var days: [CivilDate] {
        (firstDay..<next.firstDay).map { CivilDate(daysSinceEpoch: $0) }
    }

    /// `YYYY-MM`.
    public var description: String { String(CivilDate(daysSinceEpoch: firstDay).description.prefix(7)) }

    /// Orders by the calendar.
    public static func < (left: BillingMonth, right: BillingMonth) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
}
