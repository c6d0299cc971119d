import VerificationCore

/// Days of a zone that were looked up before: an invoice has thirty of them and a hundred thousand lines.
struct ZoneDays {
    /// A day of the calendar in a zone.
    struct Day {
        /// Its instants.
        let range: Range<Timestamp>
        /// What its clocks show beyond Greenwich's in seconds, where that is the same all day.
        let offset: Int64?
    }

    /// As many days as are remembered: two months, and a file whose lines are all years apart costs no memory.
    private static let most = 64

    let zone: BillingZone
    private var days: [Int64: Day] = [:]

    init(_ zone: BillingZone) {
        self.zone = zone
    }

    /// The instants of a day.
    mutating func day(_ date: CivilDate) -> Day {
        if let known = days[date.daysSinceEpoch] { return known }
        if days.count >= Self.most { days.removeAll(keepingCapacity: true) }
        let day = zone.lookUp(date)
        days[date.daysSinceEpoch] = day
        return day
    }

    /// The instant at which the clocks of a day show a time: the earlier one where they show it twice; `nil` where a
    /// clock change skips it.
    mutating func instant(on date: CivilDate, atSecond clock: Int64) -> Timestamp? {
        let day = day(date)
        guard let offset = day.offset else { return zone.instant(on: date, atSecond: clock, in: day.range) }
        return Timestamp(seconds: date.daysSinceEpoch * 86_400 + clock - offset)
    }
}
