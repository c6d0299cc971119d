/// An instant in whole seconds since 1970-01-01T00:00:00Z, as documents and certificates carry it.
///
/// The wallet's own: a mistake in the verifier's calendar must not be hidden by sharing it.
public struct Moment: Sendable, Hashable, Comparable {
    /// Seconds since the epoch.
    public let seconds: Int64

    /// An instant.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// An instant by its parts in UTC.
    public init(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) {
        var days = 0
        for earlier in 1970..<max(year, 1970) { days += Moment.isLeap(earlier) ? 366 : 365 }
        for earlier in 1..<month { days += Moment.days(earlier, year) }
        days += day - 1
        seconds = Int64(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// The instant so many seconds later.
    public func adding(seconds more: Int64) -> Moment { Moment(seconds: seconds + more) }

    /// The instant so many days later.
    public func adding(days: Int) -> Moment { adding(seconds: Int64(days) * 86_400) }

    /// `YYYY-MM-DDTHH:MM:SSZ` (RFC 3339), the form of a tdate without a fraction.
    public var text: String {
        let (year, month, day, rest) = parts
        return "\(pad(year, 4))-\(pad(month))-\(pad(day))T\(pad(rest / 3600)):\(pad(rest / 60 % 60)):\(pad(rest % 60))Z"
    }

    /// `YYYY-MM-DD`.
    public var day: String { String(text.prefix(10)) }

    /// UTCTime before 2050, GeneralizedTime after it (RFC 5280 section 4.1.2.5): tag and text.
    var x509: (tag: UInt8, text: String) {
        let (year, month, day, rest) = parts
        let tail = "\(pad(month))\(pad(day))\(pad(rest / 3600))\(pad(rest / 60 % 60))\(pad(rest % 60))Z"
        return year < 2050 ? (0x17, pad(year % 100) + tail) : (0x18, pad(year, 4) + tail)
    }

    /// Orders by time.
    public static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }

    private var parts: (year: Int, month: Int, day: Int, rest: Int) {
        var days = Int(seconds / 86_400)
        var year = 1970
        while days >= (Moment.isLeap(year) ? 366 : 365) {
            days -= Moment.isLeap(year) ? 366 : 365
            year += 1
        }
        var month = 1
        while days >= Moment.days(month, year) {
            days -= Moment.days(month, year)
            month += 1
        }
        return (year, month, days + 1, Int(seconds % 86_400))
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func days(_ month: Int, _ year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

private func pad(_ value: Int, _ width: Int = 2) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
