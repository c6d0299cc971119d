import Synchronization
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
        let isDisputed = sessions.clock.isDisputed
        if sessions.saysDispute.exchange(isDisputed, ordering: .relaxed) != isDisputed {
            if isDisputed {
                sessions.log(.error, "wall clock and monotonic clock disagree: housekeeping pauses", at: now)
            } else {
                sessions.log(.info, "wall clock and monotonic clock agree again: housekeeping goes on", at: now)
            }
        }
        guard !isDisputed else { return }
        let store = sessions.store
        // Each step by itself: what one of them cannot do must not keep another from erasing.
        await step("expired", at: now) { () async throws(StoreError) in
            let expired = try await store.expire(at: now)
            if expired > 0 { await wakeEnded() }
            return expired
        }
        await step("timed_out", at: now) { () async throws(StoreError) in
            let overdue = try await store.failProcessing(deadlineBefore: now, endedAt: now, as: .providerTimeout)
            for record in overdue {
                sessions.count(record)
                sessions.waiters.wake(record.id)
            }
            return overdue.count
        }
        await step("erased", at: now) { () async throws(StoreError) in try await store.eraseDue(at: now) }
        let limit = now.advanced(by: .zero - sessions.current.settings.purgeAfter)
        await step("purged", at: now) { () async throws(StoreError) in try await store.purge(endedBefore: limit) }
    }

    private func step(
        _ what: String, at now: Timestamp, _ body: () async throws(StoreError) -> Int
    ) async {
        do throws(StoreError) {
            sessions.metrics.count(.housekeeping, [("what", what)], by: try await body())
        } catch {
            sessions.metrics.count(.storeErrors, [("code", error.rawValue)])
            sessions.log(.error, "housekeeping could not write", at: now, [(.code, .text(error.rawValue))])
        }
    }

    private func wakeEnded() async {
        for id in sessions.waiters.waitedFor {
            if (try? await sessions.store.session(id))?.status.isFinal ?? true { sessions.waiters.wake(id) }
        }
    }
}
