import JSONTree
import Routing
import VerificationCore

extension ConfigurationReading {
    /// Reads `{from?, until?, hours?}`; a window that no instant lies in is a mistake.
    func window(_ reader: JSONReader) -> TimeWindow? {
        defer { reader.rejectUnknownKeys() }
        let from = reader.optional("from") == nil ? nil : reader.timestamp("from")
        let until = reader.optional("until") == nil ? nil : reader.timestamp("until")
        if let from, let until, until <= from { reader.report("leaves no time after from", member: "until") }
        let hours = reader.optionalObject("hours").flatMap(hours)
        if ["from", "until", "hours"].allSatisfy({ reader.node[$0] == nil }) {
            reader.report("must have from, until or hours")
        }
        return TimeWindow(from: from, until: until, hours: hours)
    }

    private func hours(_ reader: JSONReader) -> DailyHours? {
        defer { reader.rejectUnknownKeys() }
        let from = reader.required("from").flatMap { minute($0, isEnd: false) }
        let until = reader.required("until").flatMap { minute($0, isEnd: true) }
        guard let member = reader.required("time_zone"), let name = member.string() else { return nil }
        guard let zone = TimeZoneTable.offsets(of: name, at: now) else {
            member.reportUnknown(name, "time zone of the IANA database", among: TimeZoneTable.names)
            return nil
        }
        guard let from, let until else { return nil }
        guard let hours = DailyHours(from: from, until: until, zone: zone) else {
            reader.report("leaves no time after from", member: "until")
            return nil
        }
        return hours
    }

    /// `HH:MM`, the end also `24:00`. `00:00` is where a day begins, so it is no end but that of the day before.
    private func minute(_ reader: JSONReader, isEnd: Bool) -> Int? {
        guard let text = reader.string() else { return nil }
        let bytes = Array(text.utf8)
        if bytes.count == 5, bytes[2] == 0x3A,
            [0, 1, 3, 4].allSatisfy({ (0x30...0x39).contains(bytes[$0]) })
        {
            let hour = Int(bytes[0] - 0x30) * 10 + Int(bytes[1] - 0x30)
            let minute = Int(bytes[3] - 0x30) * 10 + Int(bytes[4] - 0x30)
            let all = hour * 60 + minute
            if minute < 60, hour < 24 { return isEnd && all == 0 ? DailyHours.minutesOfDay : all }
            if isEnd, all == DailyHours.minutesOfDay, minute == 0 { return all }
        }
        reader.report("must be a time of day such as \"09:00\"" + (isEnd ? ", or \"24:00\"" : ""))
        return nil
    }
}
