import Synchronization
import VerificationCore

/// How many requests went out, by step: retries are counted where they happen, since there is one place that retries.
final class WireCount: Sendable {
    private let counts = Mutex<[VerificationStep: Int]>([:])

    func add(_ number: Int, to step: VerificationStep) {
        counts.withLock { $0[step, default: 0] += number }
    }

    var current: [VerificationStep: Int] { counts.withLock { $0 } }
}
