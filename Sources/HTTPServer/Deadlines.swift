import CMicrohttpd
import Glibc
import Synchronization

/// What the warden does to connections that take too long.
extension Connection {
    /// Ends the connection where its phase has lasted too long.
    func enforce(now: ContinuousClock.Instant, _ core: ServerCore) {
        state.withLock { state in
            let limits = core.limits
            switch state.phase {
            case .idle where state.requests == 0:
                guard now - state.since >= limits.headDeadline else { return }
                end(&state, core, telling: sekisho_bytes_received(socket) > 0)
            case .idle:
                if sekisho_bytes_received(socket) > state.received {
                    state.phase = .head
                    state.since = now
                } else if now - state.since >= limits.idle {
                    end(&state, core, telling: false)
                }
            case .head:
                if now - state.since >= limits.headDeadline { end(&state, core, telling: true) }
            case .body:
                if now - state.since >= limits.bodyDeadline { end(&state, core, telling: true) }
            case .sending:
                if now - state.since >= limits.answerDeadline { end(&state, core, telling: false) }
            case .running, .answered, .cut, .closed:
                return
            }
        }
    }

    /// Ends the connection where no request has begun on it.
    func endIfIdle(_ core: ServerCore) {
        state.withLock { state in
            guard case .idle = state.phase, sekisho_bytes_received(socket) == state.received else { return }
            end(&state, core, telling: false)
        }
    }

    /// How readily this connection makes room for another: the lower first; `nil` where a request is being served.
    /// One that has never delivered a head goes before one that has, so that a flood evicts itself and not the proxy.
    var dispensability: (rank: Int, since: ContinuousClock.Instant)? {
        state.withLock { state in
            switch state.phase {
            case .idle, .head: (state.requests == 0 ? 0 : 1, state.since)
            case .body: (2, state.since)
            case .running, .answered, .sending, .cut, .closed: nil
            }
        }
    }

    /// Ends the connection to make room.
    func makeRoom(_ core: ServerCore) {
        state.withLock { state in
            switch state.phase {
            case .idle, .head, .body: end(&state, core, telling: false)
            case .running, .answered, .sending, .cut, .closed: return
            }
        }
    }

    /// libmicrohttpd sees the end of the stream and closes the connection.
    private func end(_ state: inout sending State, _ core: ServerCore, telling: Bool) {
        if telling { state.refuse(core.answer(to: .timeout), on: socket) }
        state.phase = .cut
        _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
    }
}
