import VerificationCore

/// When a verifier that answers later is asked.
enum WaitSchedule {
    /// The first pause: a provider that answers 202 is seldom done within less, and apps ask us after two seconds.
    static let first = Duration.seconds(1)
    /// The longest pause of our own.
    static let longest = Duration.seconds(30)
    /// A provider may ask for more, up to this: beyond, no session would live to see it.
    static let longestAsked = Duration.seconds(3600)
    /// The last question comes so long before the processing deadline, so that its answer is still of use.
    static let margin = Duration.seconds(1)
    /// The share of a pause that chance adds: sessions that began together must not ask together.
    static let jitter = 0.25

    /// The time of the next question, or `nil` where none fits before the deadline.
    ///
    /// `asked` counts those made so far, `chance` is from 0 to 1. A pause that the provider asked for is never cut
    /// short: where it reaches beyond the deadline, nothing is asked any more.
    static func next(
        asked: Int, retryAfter: Duration?, chance: Double, at now: Timestamp, deadline: Timestamp?
    ) -> Timestamp? {
        let doubled = first * (1 << min(max(asked, 0), 16))
        let pause = min(doubled, longest) * (1 + jitter * chance)
        guard let deadline else { return now.advanced(by: max(pause, min(retryAfter ?? .zero, longestAsked))) }
        let last = deadline.advanced(by: .zero - margin)
        if let retryAfter {
            let time = now.advanced(by: max(min(retryAfter, longestAsked), first))
            return time <= last ? time : nil
        }
        let time = min(now.advanced(by: pause), last)
        return time > now ? time : nil
    }

    /// The pauses of questions for the ledger's sake, after a session is over: a minute, then four times as long each
    /// time, so that the eighth comes eleven days later; then somebody must ask the provider.
    static let lateTries = 8

    /// The pause after so many late questions.
    static func latePause(asked: Int) -> Duration { .seconds(60) * (1 << (2 * min(max(asked, 0), lateTries))) }
}
