/// Reading and writing instants as RFC 3339 text.
public enum RFC3339 {
    /// Reads a date-time whose offset is `Z` or numeric, with or without a fraction of up to nine digits.
    ///
    /// Digits beyond the millisecond are dropped. A leap second (`:60`), a missing offset and any other form give `nil`.
    public static func timestamp(_ text: some StringProtocol, requiringZulu: Bool = false) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 35, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A,
            let date = CivilDate(bytes: bytes[0..<10]),
            let hour = decimal(bytes[11..<13]), hour < 24,
            let minute = decimal(bytes[14..<16]), minute < 60,
            let second = decimal(bytes[17..<19]), second < 60
        else { return nil }
        var index = 19
        var milliseconds = 0
        if bytes[index] == 0x2E {
            let start = index + 1
            index = start
            while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
            guard (1...9).contains(index - start) else { return nil }
            milliseconds = decimal((Array(bytes[start..<index]) + [0x30, 0x30]).prefix(3)) ?? 0
        }
        guard let offset = offsetMinutes(bytes[index...], requiringZulu: requiringZulu) else { return nil }
        let days = date.daysSinceEpoch
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(offset) * 60
        return Timestamp(milliseconds: seconds * 1000 + Int64(milliseconds))
    }

    /// Writes `YYYY-MM-DDTHH:MM:SS.mmmZ`; without the fraction where it is zero and `fraction` is `false`.
    public static func text(_ time: Timestamp, fraction: Bool = true) -> String {
        let days = floored(time.milliseconds, 86_400_000)
        let rest = Int(time.milliseconds - days * 86_400_000)
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, to: 2) }
        let date = CivilDate(daysSinceEpoch: days).description
        let tail = fraction || !rest.isMultiple(of: 1000) ? "." + padded(rest % 1000, to: 3) : ""
        return date + "T" + clock.joined(separator: ":") + tail + "Z"
    }

    private static func offsetMinutes(_ bytes: ArraySlice<UInt8>, requiringZulu: Bool) -> Int? {
        let tail = Array(bytes)
        if tail == [0x5A] { return 0 }
        guard !requiringZulu, tail.count == 6, tail[3] == 0x3A, tail[0] == 0x2B || tail[0] == 0x2D,
            let hours = decimal(tail[1..<3]), hours < 24, let minutes = decimal(tail[4..<6]), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (tail[0] == 0x2D ? -1 : 1)
    }

    private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
