import Foundation

/// SIGTERM and SIGINT, which end the program in order.
enum StopSignal {
    /// Keeps them back, in every thread that is started from here on: one that took them would die of them.
    static func hold() {
        var signals = set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns when somebody wants the program to end.
    static func wait() {
        var signals = set
        var number: Int32 = 0
        sigwait(&signals, &number)
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
