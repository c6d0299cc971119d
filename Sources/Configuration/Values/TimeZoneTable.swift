import Foundation
import Routing
import VerificationCore

/// The clocks of the world, looked up once when a configuration is read: a routing decision needs no database.
enum TimeZoneTable {
    /// From when on the changes of a clock are known; what was before is of no interest to a gateway.
    private static let earliest = Timestamp(seconds: 1_577_836_800)  // 2020-01-01
    /// How far ahead of the reading they are known: longer than a process runs without reading anew.
    private static let ahead = DurationText.days(3653)

    /// The names that can be configured.
    static var names: [String] { TimeZone.knownTimeZoneIdentifiers + ["UTC"] }

    /// The clock of a place by its name in the IANA database; abbreviations such as `JST` name several and are none.
    static func offsets(of name: String, at now: Timestamp) -> ZoneOffsets? {
        guard name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name), let zone = TimeZone(identifier: name)
        else { return nil }
        let end = date(now.advanced(by: ahead))
        var instant = date(earliest)
        let initial = zone.secondsFromGMT(for: instant)
        var changes: [ZoneOffsets.Change] = []
        while let next = zone.nextDaylightSavingTimeTransition(after: instant), next > instant, next <= end {
            let time = Timestamp(milliseconds: Int64((next.timeIntervalSince1970 * 1000).rounded()))
            changes.append(ZoneOffsets.Change(at: time, offset: zone.secondsFromGMT(for: next)))
            instant = next
        }
        return ZoneOffsets(name: name, initialOffset: initial, changes: changes)
    }

    private static func date(_ time: Timestamp) -> Date {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    }
}
