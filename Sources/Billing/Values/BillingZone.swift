import Foundation
public import VerificationCore

/// The time zone in which months and days begin. It alone turns an instant into a day, so that no two places can
/// disagree about the hours between midnight in Tokyo and midnight in Greenwich.
public struct BillingZone: Sendable, Hashable, CustomStringConvertible {
    /// The name in the IANA database.
    public let name: String
    private let zone: TimeZone

    /// A zone by its IANA name; `nil` where the system does not know it.
    public init?(_ name: String) {
        // Foundation also takes abbreviations such as `JST`, which mean several zones.
        guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        self.zone = zone
    }

    /// The zone in which months begin unless something says otherwise: Japan's, whose offset has not changed since 1951,
    /// so that it is there also where a machine has no time zones.
    public static let standard = BillingZone("Asia/Tokyo") ?? BillingZone(name: "Asia/Tokyo", zone: fixed)

    private static let fixed = TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt

    private init(name: String, zone: TimeZone) {
        self.name = name
        self.zone = zone
    }

    /// The day that an instant is in.
    public func day(of time: Timestamp) -> CivilDate {
        let seconds = Self.floored(time.milliseconds, by: 1000)
        let local = seconds + offset(atSeconds: seconds)
        return CivilDate(daysSinceEpoch: Self.floored(local, by: 86_400))
    }

    /// What calendar and clock show at an instant: the day, and the seconds of the time that the clock shows.
    public func clock(of time: Timestamp) -> (day: CivilDate, second: Int64) {
        let seconds = Self.floored(time.milliseconds, by: 1000)
        let local = seconds + offset(atSeconds: seconds)
        let day = Self.floored(local, by: 86_400)
        return (CivilDate(daysSinceEpoch: day), local - day * 86_400)
    }

    /// The month that an instant is in.
    public func month(of time: Timestamp) -> BillingMonth { BillingMonth(of: day(of: time)) }

    /// The first instant of a day: where a clock change skips midnight, the first instant after it.
    public func start(of day: CivilDate) -> Timestamp { start(ofDay: day.daysSinceEpoch) }

    /// The instants of a month, the end excluded.
    public func range(of month: BillingMonth) -> Range<Timestamp> {
        start(ofDay: month.firstDay)..<start(ofDay: month.next.firstDay)
    }

    /// The instants of a day, and whether its clocks run through it without a change.
    func lookUp(_ day: CivilDate) -> ZoneDays.Day {
        let range = start(of: day)..<start(ofDay: day.daysSinceEpoch + 1)
        let (begin, last) = Self.seconds(range)
        let offset = offset(atSeconds: begin)
        // A day of 24 hours with one offset at both ends: no zone has ever changed its clocks twice in one.
        let isPlain = last - begin == 86_400 && self.offset(atSeconds: last - 1) == offset
        return ZoneDays.Day(range: range, offset: isPlain ? offset : nil)
    }

    /// The instant at which the clocks of a day show a time: the earlier one where they show it twice; `nil` where a
    /// clock change skips it.
    func instant(on day: CivilDate, atSecond clock: Int64, in range: Range<Timestamp>) -> Timestamp? {
        let local = day.daysSinceEpoch * 86_400 + clock
        let (begin, last) = Self.seconds(range)
        let candidates = Set([offset(atSeconds: begin), offset(atSeconds: last - 1)]).map { local - $0 }.sorted()
        let found = candidates.first { (begin..<last).contains($0) && $0 + offset(atSeconds: $0) == local }
        return found.map { Timestamp(seconds: $0) }
    }

    /// Days begin at whole seconds.
    private static func seconds(_ range: Range<Timestamp>) -> (Int64, Int64) {
        (floored(range.lowerBound.milliseconds, by: 1000), floored(range.upperBound.milliseconds, by: 1000))
    }

    /// The name.
    public var description: String { name }

    /// Two zones are the same by name.
    public static func == (left: BillingZone, right: BillingZone) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }

    private func start(ofDay days: Int64) -> Timestamp {
        let midnight = days * 86_400
        // The first instant whose local day is this one: offsets lie within a day of Greenwich, and a clock change
        // within that span moves it, so it is searched for and not computed.
        var low = midnight - 86_400
        var high = midnight + 86_400
        while low < high {
            let middle = low + (high - low) / 2
            if Self.floored(middle + offset(atSeconds: middle), by: 86_400) >= days {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return Timestamp(seconds: low)
    }

    private func offset(atSeconds seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
