public import VerificationCore

/// What happens by itself: expiry, processing deadlines, erasure and purging.
public struct Housekeeper: Sendable {
    /// How often: the precision with which an expiry or a deadline is noticed.
    public static let interval = Duration.seconds(1)

    private let sessions: SessionService

    /// The housekeeper of a gateway.
    public init(of gateway: Gateway) {
        self.sessions = gateway.sessions
    }

    /// Ends what was being verified when the gateway last stopped: there is no live worker for it any more.
    public func recover() async throws(StoreError) {
        let now = sessions.clock.now()
        let interrupted = try await sessions.store.failProcessing(
            deadlineBefore: nil, endedAt: now, as: .interrupted)
        for record in interrupted { sessions.count(record) }
        if !interrupted.isEmpty {
            sessions.log(
                .warning, "sessions were interrupted by the last stop", at: now,
                [(.count, .number(Int64(interrupted.count)))])
        }
    }

    /// Runs until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await tick()
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// One round. While the clocks are in dispute it ends and destroys nothing.
    public func tick() async {
        let now = sessions.clock.now()
        guard !sessions.clock.isDisputed else {
            sessions.log(.error, "wall clock and monotonic clock disagree: housekeeping pauses", at: now)
            return
        }
        do throws(StoreError) {
            let store = sessions.store
            let expired = try await store.expire(at: now)
            sessions.metrics.count(.housekeeping, [("what", "expired")], by: expired)
            let overdue = try await store.failProcessing(deadlineBefore: now, endedAt: now, as: .providerTimeout)
            for record in overdue {
                sessions.count(record)
                sessions.waiters.wake(record.id)
            }
            sessions.metrics.count(.housekeeping, [("what", "timed_out")], by: overdue.count)
            let erased = try await store.eraseDue(at: now)
            sessions.metrics.count(.housekeeping, [("what", "erased")], by: erased)
            let limit = now.advanced(by: .zero - sessions.current.settings.purgeAfter)
            let purged = try await store.purge(endedBefore: limit)
            sessions.metrics.count(.housekeeping, [("what", "purged")], by: purged)
        } catch {
            sessions.metrics.count(.storeErrors, [("code", error.rawValue)])
            sessions.log(.error, "housekeeping could not write", at: now, [(.code, .text(error.rawValue))])
        }
    }
}
