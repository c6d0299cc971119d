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
        guard !parts.isEmpty else { return self.text == Self.unixSeconds ? Self.unix(text) : RFC3339.timestamp(text) }
        var values: [Field: Int] = [:]
        var bytes = Array(text.utf8)[...]
        for part in parts {
            switch part {
            case .literal(let byte):
                guard bytes.first == byte else { return nil }
                bytes = bytes.dropFirst()
            case .field(let field):
                let width = field.rawValue.utf8.count
                let digits = bytes.prefix(width)
                guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
                values[field] = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                bytes = bytes.dropFirst(width)
            }
        }
        guard bytes.isEmpty, let year = values[.year], let month = values[.month], let number = values[.day],
            let day = CivilDate(year: year, month: month, day: number)
        else { return nil }
        let (hour, minute, second) = (values[.hour] ?? 0, values[.minute] ?? 0, values[.second] ?? 0)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let start = zone.start(of: day)
        let clock = Int64(hour * 3600 + minute * 60 + second)
        return zone.instant(on: day, atSecond: clock, from: start).map {
            Timestamp(milliseconds: $0.milliseconds + Int64(values[.millisecond] ?? 0))
        }
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
