import Dispatch
import Glibc
import Synchronization

/// SIGHUP, which asks a server to read its configuration anew.
final class HangupSignal: Sendable {
    private let source = Mutex<(any DispatchSourceSignal)?>(nil)

    /// From now on the signal ends nothing, not even while the gateway still starts.
    init() {
        signal(SIGHUP, SIG_IGN)
    }

    /// Calls `action` for each signal, as long as this object lives.
    func onEach(_ action: @escaping @Sendable () -> Void) {
        source.withLock { source in
            let new = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
            new.setEventHandler(handler: action)
            new.resume()
            source = new
        }
    }
}
