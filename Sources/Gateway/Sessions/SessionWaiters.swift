import Synchronization
import VerificationCore

/// Callers that wait for a session to end. Nobody is left waiting: each leaves by the end or by its own timeout.
final class SessionWaiters: Sendable {
    private struct Place {
        let continuation: CheckedContinuation<Void, Never>
        let timer: Task<Void, Never>

        func release() {
            timer.cancel()
            continuation.resume()
        }
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [SessionID: [UInt64: Place]] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Wakes everybody who waits for a session.
    func wake(_ id: SessionID) {
        let places = state.withLock { $0.waiting.removeValue(forKey: id) ?? [:] }
        for place in places.values { place.release() }
    }

    /// The sessions that somebody waits for.
    var waitedFor: [SessionID] { state.withLock { Array($0.waiting.keys) } }

    /// Wakes everybody and lets nobody wait any more, because the gateway stops.
    func stop() {
        let places = state.withLock { state in
            state.isStopped = true
            let all = state.waiting.values.flatMap(\.values)
            state.waiting = [:]
            return all
        }
        for place in places { place.release() }
    }

    /// Waits until the session is woken or the time is over. `alreadyEnded` is asked once more after the caller has its
    /// place, so that an end between the caller's own look and then is not missed.
    func wait(for id: SessionID, upTo limit: Duration, unless alreadyEnded: @escaping @Sendable () async -> Bool) async
    {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withCheckedContinuation { continuation in
            let isStopped = state.withLock { state in
                if state.isStopped { return true }
                // The timer cannot leave before the place is taken: leaving needs this lock.
                let timer = Task { [self] in
                    if (try? await Task.sleep(for: limit)) != nil { leave(id, ticket) }
                }
                state.waiting[id, default: [:]][ticket] = Place(continuation: continuation, timer: timer)
                return false
            }
            guard !isStopped else { return continuation.resume() }
            Task { if await alreadyEnded() { leave(id, ticket) } }
        }
    }

    private func leave(_ id: SessionID, _ ticket: UInt64) {
        let place = state.withLock { state in
            let place = state.waiting[id]?.removeValue(forKey: ticket)
            if state.waiting[id]?.isEmpty == true { state.waiting[id] = nil }
            return place
        }
        place?.release()
    }
}
