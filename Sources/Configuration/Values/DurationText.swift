/// Durations as they are configured: a whole number and a unit, such as `15m`. A number without a unit is refused,
/// because two readers would take it for two different times.
public enum DurationText {
    /// The most digits: more than any range of ours needs, and far from an overflow in any unit.
    static let longestNumber = 9

    /// The form, in words for a message.
    public static let form = "a whole number with its unit (ms, s, m, h or d), such as \"15m\""

    /// Reads a duration; `nil` for any other form (`5`, `5M`, `1.5h`, `-1s`, `1h30m`, `05m`, `P1D`).
    public static func duration(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard (1...longestNumber).contains(digits.count), digits.count == 1 || digits.first != 0x30 else { return nil }
        let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        switch String(decoding: bytes.dropFirst(digits.count), as: UTF8.self) {
        case "ms": return .milliseconds(number)
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        case "d": return days(number)
        default: return nil
        }
    }

    /// So many days of 24 hours.
    public static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

    /// A duration in the largest unit that divides it.
    public static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds != 0 { return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms" }
        if seconds == 0 { return "0s" }
        if seconds.isMultiple(of: 86_400) { return "\(seconds / 86_400)d" }
        if seconds.isMultiple(of: 3600) { return "\(seconds / 3600)h" }
        return seconds.isMultiple(of: 60) ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
