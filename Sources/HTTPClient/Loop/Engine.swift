import CCurl
import Glibc
import Synchronization
import SystemThreads

/// What tasks and the loop's thread share: the inbox, and the descriptor that wakes the loop.
final class Engine: Sendable {
    private struct Inbox {
        var submissions: [Submission] = []
        var cancellations: [Cancellation] = []
        var waiting = 0
        var isClosing = false
        var hasEnded = false
    }

    let maximumConcurrent: Int
    private let maximumQueued: Int
    let wake: Int32
    private let inbox = Mutex(Inbox())

    /// How long `close` sleeps between looks at whether the thread has gone, in microseconds.
    private static let pause: useconds_t = 500

    init(maximumConcurrent: Int, maximumQueued: Int) throws(OutboundFailure) {
        self.maximumConcurrent = maximumConcurrent
        self.maximumQueued = maximumQueued
        wake = sekisho_client_eventfd()
        guard wake >= 0 else { throw OutboundFailure(.noResources, wasSent: false) }
        let watcher = sekisho_watcher()
        let isReady =
            watcher >= 0 && sekisho_watch(watcher, wake, 1, 0) != 0
            && SystemThread.start({ [self] in Loop(engine: self, watcher: watcher).run() })
        guard isReady else {
            if watcher >= 0 { _ = Glibc.close(watcher) }
            inbox.withLock { $0.hasEnded = true }
            throw OutboundFailure(.noResources, wasSent: false)
        }
    }

    deinit {
        if wake >= 0 { _ = Glibc.close(wake) }
    }

    /// Hands a request to the loop, or fails it at once.
    func submit(_ submission: Submission) {
        let refusal: OutboundFailure.Code? = inbox.withLock { inbox in
            if inbox.isClosing { return .closed }
            if inbox.waiting >= maximumConcurrent + maximumQueued { return .tooManyRequests }
            inbox.waiting += 1
            inbox.submissions.append(submission)
            return nil
        }
        if let refusal { submission.fail(refusal) } else { nudge() }
    }

    /// Tells the loop that a task was cancelled; before or after its request has arrived there.
    func cancel(_ cancellation: Cancellation) {
        cancellation.set()
        inbox.withLock { $0.cancellations.append(cancellation) }
        nudge()
    }

    /// Ends the loop; where `waits`, returns once it has ended.
    func close(waits: Bool) {
        inbox.withLock { $0.isClosing = true }
        nudge()
        while waits && !inbox.withLock({ $0.hasEnded }) { usleep(Self.pause) }
    }

    // What follows is the loop's.

    /// Everything that has come since the last look.
    func collect() -> (submissions: [Submission], cancellations: [Cancellation], isClosing: Bool) {
        var count: eventfd_t = 0
        eventfd_read(wake, &count)
        return inbox.withLock { inbox in
            defer {
                inbox.submissions = []
                inbox.cancellations = []
            }
            return (inbox.submissions, inbox.cancellations, inbox.isClosing)
        }
    }

    /// A request is over.
    func release() {
        inbox.withLock { $0.waiting -= 1 }
    }

    func end() {
        inbox.withLock { $0.hasEnded = true }
    }

    private func nudge() {
        eventfd_write(wake, 1)
    }
}
