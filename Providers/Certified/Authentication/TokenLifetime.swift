import JSONTree
import VerificationCore

/// How long a token is taken to live, whatever its answer says. The rules:
///
/// - A whole number of seconds, as a number or as text in digits, counts. So does nought: the token serves those who
///   waited for it, and the next request fetches another.
/// - Below nought counts as nought.
/// - More than ``longest`` counts as ``longest``: a key that was withdrawn must not be used for years.
/// - Nothing, `null`, a fraction, an exponent or any other text counts as not said: the declared assumption stands.
/// - It is counted on our own clock from before the request left, so neither the time on the way nor the other side's
///   clock can make a token look younger than it is.
/// - It is renewed the declared margin before its end, but at half its life at the soonest: a margin as long as the life
///   would fetch a token for every request.
enum TokenLifetime {
    /// A day.
    static let longest: Duration = .seconds(86_400)

    /// What `expires_in` says; `nil` where it says nothing that counts.
    static func stated(_ node: JSONNode?) -> Duration? {
        let seconds: Int64?
        switch node?.kind {
        case .number(let number): seconds = number.integer ?? beyond(number.text)
        case .string(let text): seconds = whole(text)
        case .null, .boolean, .array, .object, nil: seconds = nil
        }
        return seconds.map { bounded(.seconds(min(max($0, 0), longest.components.seconds))) }
    }

    /// A token as it is kept.
    static func token(
        _ value: Sensitive<String>, asked now: Timestamp, lifetime: Duration, margin: Duration
    ) -> Token {
        let life = bounded(lifetime)
        return Token(
            value: value, renewal: now.advanced(by: life - min(max(margin, .zero), life / 2)),
            expiry: now.advanced(by: life))
    }

    private static func bounded(_ life: Duration) -> Duration { min(max(life, .zero), longest) }

    /// Digits with a sign before them, however many.
    private static func whole(_ text: String) -> Int64? {
        let digits = text.utf8.first == 0x2D ? text.utf8.dropFirst() : text.utf8[...]
        guard (1...64).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? beyond(text)
    }

    /// A whole number beyond 64 bits is longer than the longest, or shorter than nought.
    private static func beyond(_ text: String) -> Int64? {
        let digits = text.utf8.first == 0x2D ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.utf8.first == 0x2D ? .min : .max
    }
}
