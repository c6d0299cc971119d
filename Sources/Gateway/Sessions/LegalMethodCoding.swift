import CBOR
import VerificationCore

/// How dated methods and retention after an event stand inside a sealed purpose. Sessions sealed by earlier versions
/// have neither.
enum LegalMethodCoding {
    static func encode(_ table: LegalMethodTable, into encoder: inout CBOREncoder) {
        encoder.array(count: 1 + table.entries.count)
        encoder.text(table.code)
        for entry in table.entries {
            encoder.array(count: 4)
            encoder.text(entry.from.description)
            encoder.text(orNull: entry.until?.description)
            encoder.text(orNull: entry.policy)
            encoder.text(entry.procedure)
        }
    }

    static func table(_ item: CBORItem?) throws(CBORError) -> LegalMethodTable? {
        guard let item, item.kind != .null else { return nil }
        let parts = Array(item.items)
        guard let code = parts.first else { throw .missingKey }
        var entries: [LegalMethodTable.Entry] = []
        for part in parts.dropFirst() {
            let members = Array(part.items)
            guard members.count == 4, let from = CivilDate(try members[0].text()) else { throw .wrongType }
            let until = try optionalText(members[1])
            let end = until.flatMap { CivilDate($0) }
            guard (until == nil) == (end == nil) else { throw .wrongType }
            entries.append(
                LegalMethodTable.Entry(
                    from: from, until: end, policy: try optionalText(members[2]), procedure: try members[3].text()))
        }
        return LegalMethodTable(code: try code.text(), entries: entries)
    }

    static func encode(_ rule: EventRetention, into encoder: inout CBOREncoder) {
        encoder.array(count: 3)
        encoder.text(rule.event.rawValue)
        switch rule.keep {
        case .days(let days):
            encoder.text("days")
            encoder.integer(Int64(days))
        case .years(let years):
            encoder.text("years")
            encoder.integer(Int64(years))
        }
    }

    static func eventRetention(_ item: CBORItem?) throws(CBORError) -> EventRetention? {
        guard let item, item.kind != .null else { return nil }
        let parts = Array(item.items)
        guard parts.count == 3, let event = EventRetention.Event(rawValue: try parts[0].text()),
            let number = Int(exactly: try parts[2].integer())
        else { throw .wrongType }
        switch try parts[1].text() {
        case "days": return EventRetention(after: event, keep: .days(number))
        case "years": return EventRetention(after: event, keep: .years(number))
        default: throw .wrongType
        }
    }
}

extension CBOREncoder {
    fileprivate mutating func text(orNull value: String?) {
        if let value { text(value) } else { null() }
    }
}
