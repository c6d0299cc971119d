import Glibc

/// A thread of the system's, for work that blocks, as a socket or a disk does, and must not hold one of the few that run
/// tasks.
public enum SystemThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `work` on a thread of its own, which takes no signals; `false` where the system has none to give, and then `work`
    /// was not run.
    public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                // Writing to a connection that has died would end the process: TLS writes with `write`, which signals.
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
