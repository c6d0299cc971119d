import Synchronization
import VerificationCore

/// What the providers remember of being called, and of what they charged for.
final class Books: Sendable {
    private struct State {
        var calls: [CallRecord] = []
        var charges: [Charge] = []
    }

    private let state = Mutex(State())

    /// Notes a call before any work; gives its place.
    func received(_ call: CallRecord) -> Int {
        state.withLock { state in
            state.calls.append(call)
            return state.calls.count - 1
        }
    }

    /// Notes what the answer to a call was meant to be.
    func answered(_ place: Int, status: Int) {
        state.withLock { state in
            // The books may have been cleared meanwhile.
            if state.calls.indices.contains(place) { state.calls[place].status = status }
        }
    }

    /// Notes a charge.
    func charge(_ charge: Charge) {
        state.withLock { $0.charges.append(charge) }
    }

    /// Every call, in order.
    var calls: [CallRecord] { state.withLock { $0.calls } }

    /// Every charge, in order.
    var charges: [Charge] { state.withLock { $0.charges } }

    /// Forgets everything.
    func clear() {
        state.withLock { $0 = State() }
    }
}
