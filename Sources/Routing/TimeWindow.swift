public import VerificationCore

/// When a rule holds. Every bound is half-open: the first instant belongs to it, the last does not.
public struct TimeWindow: Sendable, Hashable {
    /// The first instant.
    public var from: Timestamp?
    /// The first instant after it.
    public var until: Timestamp?
    /// The hours of each day.
    public var hours: DailyHours?

    /// A window.
    public init(from: Timestamp? = nil, until: Timestamp? = nil, hours: DailyHours? = nil) {
        self.from = from
        self.until = until
        self.hours = hours
    }

    /// Whether an instant lies in it.
    public func contains(_ time: Timestamp) -> Bool {
        if let from, time < from { return false }
        if let until, time >= until { return false }
        return hours?.contains(time) ?? true
    }
}

/// Hours of the day by the clock of a place. `from` after `until` reaches over midnight.
public struct DailyHours: Sendable, Hashable {
    /// The minutes of a day.
    public static let minutesOfDay = 24 * 60

    /// The minute of the day at which they begin, 0 to 1439.
    public let from: Int
    /// The minute of the day at which they are over, 1 to 1440.
    public let until: Int
    /// The clock.
    public let zone: ZoneOffsets

    /// Hours; `nil` where they are none or no hours of a day.
    public init?(from: Int, until: Int, zone: ZoneOffsets) {
        guard (0..<DailyHours.minutesOfDay).contains(from), (1...DailyHours.minutesOfDay).contains(until),
            from != until
        else { return nil }
        self.from = from
        self.until = until
        self.zone = zone
    }

    /// Whether an instant lies in them.
    public func contains(_ time: Timestamp) -> Bool {
        let minute = zone.minuteOfDay(at: time)
        return from < until ? from <= minute && minute < until : from <= minute || minute < until
    }
}

/// What the clocks of a place are ahead of UTC by, as a table: whoever makes a rule looks it up once, so that a decision
/// needs no database of time zones.
public struct ZoneOffsets: Sendable, Hashable {
    /// The name of the time zone, such as `Asia/Tokyo`.
    public let name: String
    /// The offset in seconds before the first change.
    public let initialOffset: Int
    /// The changes, by time; after the last one its offset stays.
    public let changes: [Change]

    /// A change of the clocks.
    public struct Change: Sendable, Hashable {
        /// The first instant of the new offset.
        public let at: Timestamp
        /// Seconds ahead of UTC from then on.
        public let offset: Int

        /// A change.
        public init(at: Timestamp, offset: Int) {
            self.at = at
            self.offset = offset
        }
    }

    /// A table; the changes may come in any order.
    public init(name: String, initialOffset: Int, changes: [Change] = []) {
        self.name = name
        self.initialOffset = initialOffset
        self.changes = changes.sorted { $0.at < $1.at }
    }

    /// Seconds ahead of UTC at an instant.
    public func offset(at time: Timestamp) -> Int {
        changes.last { $0.at <= time }?.offset ?? initialOffset
    }

    /// The minute that the clocks of the place show, counted from midnight.
    public func minuteOfDay(at time: Timestamp) -> Int {
        let minutes = (time.milliseconds + Int64(offset(at: time)) * 1000) / 60_000
        let isBefore = (time.milliseconds + Int64(offset(at: time)) * 1000) % 60_000 < 0
        let minute = (minutes - (isBefore ? 1 : 0)) % Int64(DailyHours.minutesOfDay)
        return Int(minute < 0 ? minute + Int64(DailyHours.minutesOfDay) : minute)
    }
}
