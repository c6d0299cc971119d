public import VerificationCore

/// How a provider writes times: the letters `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and `SSS` stand for digits, everything
/// else for itself. `rfc3339` stands for that form, whose offset then counts and not the zone's, and `unix_seconds` for
/// whole seconds since 1970.
public struct TimePattern: Sendable, Hashable {
    private enum Part: Hashable {
        case field(Field)
        case literal(UInt8)
    }

    private enum Field: String, CaseIterable {
        case year = "yyyy"
        case month = "MM"
        case day = "dd"
        case hour = "HH"
        case minute = "mm"
        case second = "ss"
        case millisecond = "SSS"

        /// How many digits.
        var width: Int {
            switch self {
            case .year: 4
            case .month, .day, .hour, .minute, .second: 2
            case .millisecond: 3
            }
        }
    }

    /// What a text's digits say.
    private struct Fields {
        var (year, month, day, hour, minute, second, millisecond) = (0, 0, 0, 0, 0, 0, 0)

        mutating func set(_ field: Field, _ value: Int) {
            switch field {
            case .year: year = value
            case .month: month = value
            case .day: day = value
            case .hour: hour = value
            case .minute: minute = value
            case .second: second = value
            case .millisecond: millisecond = value
            }
        }
    }

    static let rfc3339 = "rfc3339"
    static let unixSeconds = "unix_seconds"

    /// The pattern as it was written.
    public let text: String
    private let parts: [Part]

    /// A pattern; `nil` where it has no day, or a letter that stands for nothing.
    public init?(_ text: String) {
        self.text = text
        guard text != Self.rfc3339, text != Self.unixSeconds else {
            parts = []
            return
        }
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.utf8.first {
            if let field = Field.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
                guard !parts.contains(.field(field)) else { return nil }
                parts.append(.field(field))
                rest = rest.dropFirst(field.rawValue.utf8.count)
            } else {
                let isLetter = (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first)
                // `T` separates date and time in half of all forms.
                guard !isLetter || first == UInt8(ascii: "T") else { return nil }
                guard first < 0x80 else { return nil }
                parts.append(.literal(first))
                rest = rest.dropFirst()
            }
        }
        let fields = [Field.year, .month, .day]
        guard fields.allSatisfy({ parts.contains(.field($0)) }) else { return nil }
        self.parts = parts
    }

    /// The instant that a text means in a zone; `nil` where it has another form or names no instant.
    public func time(_ text: String, in zone: BillingZone) -> Timestamp? {
        var days = ZoneDays(zone)
        return time(text, in: &days)
    }

    /// The same for many texts of one zone, whose days are looked up once.
    func time(_ text: String, in days: inout ZoneDays) -> Timestamp? {
        guard !parts.isEmpty else { return self.text == Self.unixSeconds ? Self.unix(text) : RFC3339.timestamp(text) }
        guard let fields = fields(of: text),
            let day = CivilDate(year: fields.year, month: fields.month, day: fields.day), fields.hour < 24,
            fields.minute < 60, fields.second < 60
        else { return nil }
        let clock = Int64(fields.hour * 3600 + fields.minute * 60 + fields.second)
        return days.instant(on: day, atSecond: clock).map {
            Timestamp(milliseconds: $0.milliseconds + Int64(fields.millisecond))
        }
    }

    private func fields(of text: String) -> Fields? {
        var fields = Fields()
        var rest = text.utf8.makeIterator()
        for part in parts {
            switch part {
            case .literal(let byte):
                guard rest.next() == byte else { return nil }
            case .field(let field):
                var value = 0
                for _ in 0..<field.width {
                    guard let digit = rest.next(), (0x30...0x39).contains(digit) else { return nil }
                    value = value * 10 + Int(digit - 0x30)
                }
                fields.set(field, value)
            }
        }
        return rest.next() == nil ? fields : nil
    }

    /// Ten digits reach the year 2286, and milliseconds, which have thirteen, are another form.
    private static let mostDigits = 11

    private static func unix(_ text: String) -> Timestamp? {
        guard (1...mostDigits).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text).map { Timestamp(seconds: $0) }
    }
}
