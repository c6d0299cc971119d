import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT as something to wait for. A second signal ends the program at once.
final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Takes the signals over.
    init() {
        signal(SIGPIPE, SIG_IGN)
        sources.withLock { sources in
            for number in [SIGTERM, SIGINT] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in self?.raise() }
                source.resume()
                sources.append(source)
            }
        }
    }

    /// Waits for the first signal.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiter = continuation }
                return state.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }

    private func raise() {
        let (isSecond, waiter) = state.withLock { state in
            defer {
                state.isRaised = true
                state.waiter = nil
            }
            return (state.isRaised, state.waiter)
        }
        if isSecond { _exit(130) }
        waiter?.resume()
    }
}
