import VerificationCore

/// When a message that failed is tried again: ten times over a day, longer apart each time, then never.
struct DeliverySchedule: Sendable {
    /// How long after each failure; together a day less a quarter of an hour.
    static let delays: [Duration] = [
        .seconds(5), .seconds(30), .seconds(120), .seconds(600), .seconds(1800), .seconds(3600), .seconds(7200),
        .seconds(14_400), .seconds(28_800), .seconds(28_800),
    ]
    /// A client may put us off for as long as this: a longer one could keep a message beyond its day.
    static let longestPause = Duration.seconds(3600)

    /// A number from 0 up to 1, drawn anew for each delay, so that what failed together does not come back together.
    let draw: @Sendable () -> Double

    /// How long to wait after the failure that makes `tries` of them; `nil` where it is given up.
    func delay(afterTries tries: Int, asked: Duration? = nil) -> Duration? {
        guard (1...Self.delays.count).contains(tries) else { return nil }
        // Four to six fifths of the delay.
        let jittered = Self.delays[tries - 1] * (0.8 + 0.4 * draw())
        return max(jittered, min(asked ?? .zero, Self.longestPause))
    }
}
