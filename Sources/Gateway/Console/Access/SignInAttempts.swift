import Synchronization

/// How often a wrong key is looked at. Keys are too long to be guessed; this keeps a guesser from being a load and from
/// filling the log, and makes the attempt seen. A right key is never held up by it.
final class SignInAttempts: Sendable {
    /// Failures of one address within the window; behind a proxy all share its address.
    static let mostFailures = 10
    /// The window, which begins with the first failure.
    static let window = Duration.seconds(60)
    /// Addresses that are remembered; past them the oldest is forgotten.
    static let mostAddresses = 1024

    private struct Failures {
        var count = 0
        var since: Duration
    }

    private let failures = Mutex<[String: Failures]>([:])

    /// The seconds to wait, or `nil` where an attempt may be made.
    func wait(_ address: String, at now: Duration) -> Int? {
        failures.withLock { failures in
            guard let entry = failures[address], entry.count >= Self.mostFailures else { return nil }
            let left = entry.since + Self.window - now
            return left > .zero ? max(1, Int(left.components.seconds)) : nil
        }
    }

    /// Notes a failure.
    func failed(_ address: String, at now: Duration) {
        failures.withLock { failures in
            if let entry = failures[address], now - entry.since < Self.window {
                failures[address] = Failures(count: entry.count + 1, since: entry.since)
                return
            }
            if failures.count >= Self.mostAddresses, let oldest = failures.min(by: { $0.value.since < $1.value.since })
            {
                failures[oldest.key] = nil
            }
            failures[address] = Failures(count: 1, since: now)
        }
    }
}
