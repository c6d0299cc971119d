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
        // A date has a year of four digits, and the month before or after one of those may have another: the calendar
        // repeats itself every 400 years.
        let (cycles, rest) = year.quotientAndRemainder(dividingBy: Self.cycleYears)
        let yearOfCycle = rest < 0 ? rest + Self.cycleYears : rest
        let cycle = Int64(rest < 0 ? cycles - 1 : cycles)
        let days = CivilDate(year: yearOfCycle, month: month, day: 1)?.daysSinceEpoch ?? 0
        return days + cycle * Self.cycleDays
    }

    /// Years after which the Gregorian calendar begins again.
    private static let cycleYears = 400
    /// Its days.
    private static let cycleDays: Int64 = 146_097

    /// Its days in order.
    public var days: [CivilDate] {
        (firstDay..<next.firstDay).map { CivilDate(daysSinceEpoch: $0) }
    }

    /// `YYYY-MM`.
    public var description: String { String(CivilDate(daysSinceEpoch: firstDay).description.dropLast(3)) }

    /// Orders by the calendar.
    public static func < (left: BillingMonth, right: BillingMonth) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
}
