import Synchronization
import VerificationCore

/// The idempotency keys whose first request is still running, and how many verifications run at once.
final class InFlight: Sendable {
    /// Verifications at once. Each holds a blob of at most half a megabyte and a core for a fraction of a millisecond;
    /// what comes beyond is told to come again, before its nonce is claimed.
    static let maximumVerifications = 256

    private struct State {
        var keys: Set<IdempotencyKey> = []
        var verifications = 0
    }

    private let state = Mutex(State())

    /// Takes a key; `false` where somebody has it.
    func begin(_ key: IdempotencyKey) -> Bool {
        state.withLock { $0.keys.insert(key).inserted }
    }

    /// Whether somebody has a key.
    func holds(_ key: IdempotencyKey) -> Bool {
        state.withLock { $0.keys.contains(key) }
    }

    /// Gives a key back.
    func end(_ key: IdempotencyKey) {
        state.withLock { _ = $0.keys.remove(key) }
    }

    /// Takes a place for a verification; `false` where all are taken.
    func beginVerification() -> Bool {
        state.withLock { state in
            guard state.verifications < Self.maximumVerifications else { return false }
            state.verifications += 1
            return true
        }
    }

    /// Gives the place back.
    func endVerification() {
        state.withLock { $0.verifications -= 1 }
    }

    /// How many verifications run.
    var verifications: Int { state.withLock { $0.verifications } }
}
