/// Time that passes and chance, as the retries of one call need them. Given from outside, so that a test has its own.
protocol Pacing: Sendable {
    /// The time since some fixed instant; it never goes back.
    func elapsed() -> Duration
    /// Waits; returns at once where the task was cancelled.
    func pause(for duration: Duration) async
    /// A number below a bound.
    func random(below bound: UInt64) -> UInt64
}

/// The system's clock and generator.
struct SystemPacing: Pacing {
    private let start = ContinuousClock.now

    func elapsed() -> Duration { ContinuousClock.now - start }

    func pause(for duration: Duration) async { try? await Task.sleep(for: duration) }

    func random(below bound: UInt64) -> UInt64 { UInt64.random(in: 0..<max(1, bound)) }
}

extension RetryDeclaration {
    /// The pause after a try, from 1: it doubles from try to try, and half of it is left to chance, so that many callers do
    /// not come back together.
    func pause(after number: Int, pacing: some Pacing) -> Duration {
        var pause = backoff
        for _ in 1..<max(1, number) where pause < longestPause { pause *= 2 }
        pause = min(pause, longestPause)
        let milliseconds = UInt64(max(0, pause / .milliseconds(1)))
        return .milliseconds(Int64(milliseconds / 2 + pacing.random(below: milliseconds / 2 + 1)))
    }
}
