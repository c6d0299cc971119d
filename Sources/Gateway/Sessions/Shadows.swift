import Synchronization
import VerificationCore

/// The sessions that are to be verified a second time, out of the answer's way, and those second verifications.
///
/// Evidence is held in memory only, for as long as its session is processed, and for so many sessions at most. Whatever
/// goes wrong here changes nothing for a session.
final class Shadows: Sendable {
    /// Second verifications at once.
    static let maximumRunning = 4
    /// Sessions whose evidence is held. Each may hold half a megabyte; what comes beyond is not verified again.
    static let maximumHeld = 64

    /// What a second verification needs.
    struct Job: Sendable {
        let evidence: Evidence
        let work: SessionWork
        let shadow: VerifierID
        let heldAt: Timestamp
    }

    private struct State {
        /// Those whose primary has not answered.
        var held: [SessionID: Job] = [:]
        /// Those whose primary has, in order.
        var ready: [(job: Job, primary: PrimaryResult)] = []
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// Those that were handed over and whose verdict comes later.
    let awaited = AwaitedShadows()

    /// Holds the evidence of a session that is in the share, if there is room for it.
    func hold(_ evidence: Evidence, for work: SessionWork, at now: Timestamp) -> Bool {
        guard let shadow = work.record.routing.shadow else { return true }
        return state.withLock { state in
            guard state.held.count + state.ready.count < Self.maximumHeld else { return false }
            state.held[work.record.id] = Job(evidence: evidence, work: work, shadow: shadow, heldAt: now)
            return true
        }
    }

    /// Lets go of the evidence of a session that came to no verdict here.
    func drop(_ session: SessionID) {
        state.withLock { _ = $0.held.removeValue(forKey: session) }
    }

    /// Lets go of what was held since before an instant: its session is over.
    func drop(heldBefore instant: Timestamp) {
        state.withLock { state in state.held = state.held.filter { $0.value.heldAt >= instant } }
    }

    /// The primary's verdict is there: the job is next in line. `true` where the caller must run it.
    func release(_ session: SessionID, with primary: PrimaryResult) -> Bool {
        state.withLock { state in
            guard let job = state.held.removeValue(forKey: session) else { return false }
            state.ready.append((job, primary))
            guard state.running < Self.maximumRunning else { return false }
            state.running += 1
            return true
        }
    }

    /// The next job for whoever runs them; `nil`, and one runner fewer, where none is left.
    func next() -> (job: Job, primary: PrimaryResult)? {
        let (next, idle) = state.withLock { state -> ((Job, PrimaryResult)?, [CheckedContinuation<Void, Never>]) in
            guard state.ready.isEmpty else { return (state.ready.removeFirst(), []) }
            state.running -= 1
            guard state.running == 0 else { return (nil, []) }
            defer { state.waiting = [] }
            return (nil, state.waiting)
        }
        for continuation in idle { continuation.resume() }
        return next.map { (job: $0.0, primary: $0.1) }
    }

    /// Waits until nothing runs.
    func untilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if isIdle { continuation.resume() }
        }
    }

    /// How many sessions' evidence is held.
    var held: Int { state.withLock { $0.held.count + $0.ready.count } }
}

/// The first verification, as the second one is compared with it.
struct PrimaryResult: Sendable {
    let verifier: VerifierID
    let digests: VerdictDigests
    let key: ComparisonKey
}
