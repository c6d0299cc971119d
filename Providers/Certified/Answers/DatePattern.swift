/// How a provider writes a day, such as `YYYYMMDD`, `DD.MM.YYYY` or `YYYY年M月D日`.
///
/// The result keeps what was issued: a day that the calendar does not have (`1985-00-00`) stays as it is and never
/// becomes another day.
struct DatePattern: Sendable, Hashable {
    /// The longest pattern.
    static let longest = 40

    private enum Part: Sendable, Hashable {
        case year
        /// Two digits, or one or two.
        case month(padded: Bool)
        case day(padded: Bool)
        case text([Unicode.Scalar])
    }

    private let parts: [Part]

    /// A pattern with `YYYY`, one of `MM` and `M`, and one of `DD` and `D`, each once; `nil` for any other. One or two
    /// digits must be followed by text or by the end, or nobody could tell where they end.
    init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= DatePattern.longest else { return nil }
        var parts: [Part] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            var end = index + 1
            if scalar == "Y" || scalar == "M" || scalar == "D" {
                while end < scalars.count, scalars[end] == scalar { end += 1 }
            }
            switch (scalar, end - index) {
            case ("Y", 4): parts.append(.year)
            case ("M", 1), ("M", 2): parts.append(.month(padded: end - index == 2))
            case ("D", 1), ("D", 2): parts.append(.day(padded: end - index == 2))
            case ("Y", _), ("M", _), ("D", _): return nil
            default:
                guard !("0"..."9").contains(scalar) else { return nil }
                if case .text(let before) = parts.last {
                    parts[parts.count - 1] = .text(before + [scalar])
                } else {
                    parts.append(.text([scalar]))
                }
            }
            index = end
        }
        guard DatePattern.isComplete(parts), DatePattern.isUnambiguous(parts) else { return nil }
        self.parts = parts
    }

    /// The day as `YYYY-MM-DD`; `nil` where the text is not written so. Full-width digits count as digits.
    func text(_ written: String) -> String? {
        var rest = Array(written.unicodeScalars.map(DatePattern.usual))[...]
        var (year, month, day) = ("", "", "")
        for part in parts {
            switch part {
            case .year:
                guard let digits = DatePattern.digits(&rest, 4...4) else { return nil }
                year = digits
            case .month(let padded):
                guard let digits = DatePattern.digits(&rest, (padded ? 2 : 1)...2) else { return nil }
                month = digits
            case .day(let padded):
                guard let digits = DatePattern.digits(&rest, (padded ? 2 : 1)...2) else { return nil }
                day = digits
            case .text(let text):
                guard rest.starts(with: text) else { return nil }
                rest = rest.dropFirst(text.count)
            }
        }
        guard rest.isEmpty else { return nil }
        return "\(year)-\(month.count == 1 ? "0" : "")\(month)-\(day.count == 1 ? "0" : "")\(day)"
    }

    private static func isComplete(_ parts: [Part]) -> Bool {
        func count(_ isWanted: (Part) -> Bool) -> Int { parts.count { isWanted($0) } }
        return count { $0 == .year } == 1 && count { $0 == .month(padded: true) || $0 == .month(padded: false) } == 1
            && count { $0 == .day(padded: true) || $0 == .day(padded: false) } == 1
    }

    private static func isUnambiguous(_ parts: [Part]) -> Bool {
        zip(parts, parts.dropFirst()).allSatisfy { part, next in
            guard part == .month(padded: false) || part == .day(padded: false) else { return true }
            if case .text = next { return true }
            return false
        }
    }

    private static func usual(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF10...0xFF19).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    private static func digits(_ rest: inout ArraySlice<Unicode.Scalar>, _ count: ClosedRange<Int>) -> String? {
        let digits = rest.prefix(count.upperBound).prefix { ("0"..."9").contains($0) }
        guard digits.count >= count.lowerBound else { return nil }
        rest = rest.dropFirst(digits.count)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: digits)
        return String(text)
    }
}
