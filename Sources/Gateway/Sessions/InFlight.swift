import Synchronization
import VerificationCore

/// What runs in this process: the idempotency keys whose first request is not over, the verifications, and the
/// submissions whose verifier has not answered yet.
final class InFlight: Sendable {
    /// Verifications at once. Each holds a blob of at most half a megabyte and a core for a fraction of a millisecond;
    /// what comes beyond is told to come again, before its nonce is claimed.
    static let maximumVerifications = 256

    private struct Submission {
        let verifier: VerifierID
        /// Whether a notice said meanwhile that there is something to fetch.
        var isNoticed = false
    }

    private struct State {
        var keys: Set<IdempotencyKey> = []
        var verifications = 0
        var submissions: [SessionID: Submission] = [:]
        /// Goes up with every submission that is over.
        var ended = 0
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

    /// A claimed session's evidence is on its way to a verifier.
    func beginSubmission(_ session: SessionID, to verifier: VerifierID) {
        state.withLock { $0.submissions[session] = Submission(verifier: verifier) }
    }

    /// What became of it is written.
    func endSubmission(_ session: SessionID) {
        state.withLock { state in
            state.submissions[session] = nil
            state.ended += 1
        }
    }

    /// Whether a session's submission is under way here.
    func isSubmitting(_ session: SessionID) -> Bool { state.withLock { $0.submissions[session] != nil } }

    /// Notes a notice for a session whose submission is under way; `false` where none is.
    func notice(_ session: SessionID) -> Bool {
        state.withLock { state in
            guard state.submissions[session] != nil else { return false }
            state.submissions[session]?.isNoticed = true
            return true
        }
    }

    /// Whether a notice came for a session while its submission was under way.
    func isNoticed(_ session: SessionID) -> Bool { state.withLock { $0.submissions[session]?.isNoticed ?? false } }

    /// How many submissions are under way to a verifier, and how many are over in all.
    func submissions(to verifier: VerifierID) -> (running: Int, ended: Int) {
        state.withLock { state in
            (state.submissions.values.count { $0.verifier == verifier }, state.ended)
        }
    }
}
