/// A method that the law names. Its letter changes with the law, so it is configuration with a date, never a constant.
public struct LegalMethod: Sendable, Hashable {
    /// The law or rule, such as 犯収法施行規則.
    public let policy: String?
    /// The method in it, such as `6条1項1号ル`.
    public let procedure: String
    /// The day of the text that the method was read from.
    public let lawAsOf: CivilDate
    /// Our own name for it, such as `wallet-ru`, which stays when the letter moves.
    public let code: String?

    /// A method.
    public init(policy: String?, procedure: String, lawAsOf: CivilDate, code: String? = nil) {
        self.policy = policy
        self.procedure = procedure
        self.lawAsOf = lawAsOf
        self.code = code
    }
}

/// One method under its names in the law, each from a day on.
public struct LegalMethodTable: Sendable, Hashable {
    /// A name that it has for a time.
    public struct Entry: Sendable, Hashable {
        /// The first day, by the law's calendar.
        public let from: CivilDate
        /// The first day on which it no longer holds; `nil` where nobody knows of one.
        public let until: CivilDate?
        /// The law or rule.
        public let policy: String?
        /// The method in it.
        public let procedure: String

        /// A name.
        public init(from: CivilDate, until: CivilDate? = nil, policy: String?, procedure: String) {
            self.from = from
            self.until = until
            self.policy = policy
            self.procedure = procedure
        }
    }

    /// Our own name for the method.
    public let code: String
    /// Its names, in the order of their days, without gap or overlap.
    public let entries: [Entry]

    /// A table.
    public init(code: String, entries: [Entry]) {
        self.code = code
        self.entries = entries
    }

    /// The method as the law names it on a day; `nil` before the first and after the last.
    public func method(on day: CivilDate) -> LegalMethod? {
        guard let entry = entries.last(where: { $0.from <= day }), entry.until.map({ day < $0 }) ?? true else {
            return nil
        }
        return LegalMethod(policy: entry.policy, procedure: entry.procedure, lawAsOf: entry.from, code: code)
    }
}

/// The calendar by which a law's days are counted: Japan's, nine hours before UTC, without summer time since 1951.
public enum LegalCalendar {
    private static let offset: Int64 = 9 * 3_600_000
    private static let day: Int64 = 86_400_000

    /// The day of an instant.
    public static func day(of time: Timestamp) -> CivilDate {
        let shifted = time.milliseconds.addingReportingOverflow(offset)
        let milliseconds = shifted.overflow ? time.milliseconds : shifted.partialValue
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: day)
        return CivilDate(daysSinceEpoch: remainder < 0 ? quotient - 1 : quotient)
    }

    /// The first instant of a day.
    public static func start(of date: CivilDate) -> Timestamp {
        Timestamp(milliseconds: date.daysSinceEpoch * day - offset)
    }
}
