import VerificationCore

/// The header `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date in any of its three forms.
enum RetryAfter {
    /// The pause that it asks for; `nil` where it says nothing that can be read. A date in the past is no pause at all.
    static func pause(_ text: String, at now: Timestamp) -> Duration? {
        let trimmed = text.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        if !trimmed.isEmpty, trimmed.count <= 9, trimmed.count == text.utf8.count,
            trimmed.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text)
        {
            return min(.seconds(seconds), AnswerValues.longestPause)
        }
        guard let date = HTTPDate.timestamp(text, at: now) else { return nil }
        return min(max(.zero, date.duration(since: now)), AnswerValues.longestPause)
    }
}

/// Dates of HTTP (RFC 9110 section 5.6.7).
enum HTTPDate {
    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`. The name of
    /// the day is not compared.
    static func timestamp(_ text: String, at now: Timestamp) -> Timestamp? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        if words.count == 6, words[5] == "GMT" {
            return instant(year: words[3], month: words[2], day: words[1], time: words[4])
        }
        if words.count == 4, words[3] == "GMT" {
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, date[2].utf8.count == 2, let short = number(date[2]) else { return nil }
            // A year that seems more than fifty years ahead is the last one with these two digits.
            let thisYear = CivilDate(daysSinceEpoch: now.milliseconds / 86_400_000).year
            var year = thisYear / 100 * 100 + short
            if year > thisYear + 50 { year -= 100 }
            return instant(year: String(year), month: date[1], day: date[0], time: words[2])
        }
        if words.count == 5 { return instant(year: words[4], month: words[1], day: words[2], time: words[3]) }
        return nil
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func instant(year: String, month: String, day: String, time: String) -> Timestamp? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard year.utf8.count == 4, parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
            (1...2).contains(day.utf8.count), let year = number(year), let month = months.firstIndex(of: month),
            let day = number(day), let date = CivilDate(year: year, month: month + 1, day: day),
            let hour = number(parts[0]), let minute = number(parts[1]), let second = number(parts[2]), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return Timestamp(seconds: date.daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second))
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
