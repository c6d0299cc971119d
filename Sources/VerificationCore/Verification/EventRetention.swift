/// How long claims are kept after something that only the app knows of.
public struct EventRetention: Sendable, Hashable {
    /// What the time is counted from.
    public enum Event: String, Sendable, CaseIterable, Hashable {
        /// The contract ended.
        case contractEnded = "contract_ended"
    }

    /// How long.
    public enum Period: Sendable, Hashable {
        /// So many days of 24 hours.
        case days(Int)
        /// So many years of the calendar.
        case years(Int)
    }

    /// What the time is counted from.
    public let event: Event
    /// How long from then.
    public let keep: Period

    /// A rule.
    public init(after event: Event, keep: Period) {
        self.event = event
        self.keep = keep
    }

    /// When what is kept since an event is erased: the first instant at which the time is over.
    ///
    /// Years are counted as the Civil Code of Japan counts them (articles 140 and 143): the event's own day is not
    /// counted, and the last day is the one before the day that has the same date; where the last month has no such
    /// day, it is the last of the month.
    public func end(since event: Timestamp) -> Timestamp {
        switch keep {
        case .days(let days): return event.advanced(by: .seconds(Int64(days) * 86_400))
        case .years(let years):
            let first = CivilDate(daysSinceEpoch: LegalCalendar.day(of: event).daysSinceEpoch + 1)
            if let same = CivilDate(year: first.year + years, month: first.month, day: first.day) {
                return LegalCalendar.start(of: same)
            }
            // 29 February of a year without one: what ends with the last of February is over on 1 March.
            guard let next = CivilDate(year: first.year + years, month: 3, day: 1) else {
                return Timestamp(milliseconds: .max)
            }
            return LegalCalendar.start(of: next)
        }
    }
}
