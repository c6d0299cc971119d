import Billing
import Synchronization
import VerificationCore

/// What happens by itself: expiry, processing deadlines, erasure and purging.
public struct Housekeeper: Sendable {
    /// How often: the precision with which an expiry or a deadline is noticed.
    public static let interval = Duration.seconds(1)

    /// How often one looks for verifiers that are to be asked: it adds so much at most to an answer that comes later.
    public static let questionInterval = Duration.milliseconds(250)
    /// How often one looks for uncertain calls of ended sessions. Their first pause is a minute.
    public static let lateInterval = Duration.seconds(15)

    /// How often the months that finance opens are brought up to date: each time only what is new is read, and a day's
    /// events stay below what would have the month read anew.
    public static let monthsInterval = Duration.seconds(300)

    let sessions: SessionService
    private let months: UsageCache

    /// The housekeeper of a gateway.
    public init(of gateway: Gateway) {
        self.sessions = gateway.sessions
        self.months = gateway.console.usage
    }

    /// Runs until its task is cancelled: a round of housekeeping each second, and beside it the questions to verifiers
    /// that answer later, so that a slow provider holds up no expiry.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await every(Self.interval) { await tick() } }
            group.addTask { await runQuestions() }
            group.addTask { await every(Self.lateInterval) { await resolveLate() } }
            group.addTask { await every(Self.monthsInterval) { await keepMonths() } }
        }
    }

    private func every(_ pause: Duration, _ round: () async -> Void) async {
        while !Task.isCancelled {
            await round()
            try? await Task.sleep(for: pause)
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
            sessions.pulse.note(.expired, count: expired, at: now)
            return expired
        }
        await step("timed_out", at: now) { () async throws(StoreError) in
            let overdue = try await store.failProcessing(deadlineBefore: now, endedAt: now, as: .providerTimeout)
            for record in overdue {
                sessions.count(record)
                sessions.waiters.wake(record.id)
                sessions.shadows.drop(record.id)
                await sessions.leaveUncertain(record)
            }
            return overdue.count
        }
        sessions.shadows.drop(heldBefore: now.advanced(by: .zero - sessions.current.settings.processingDeadline))
        await step("erased", at: now) { () async throws(StoreError) in try await store.eraseDue(at: now) }
        let limit = now.advanced(by: .zero - sessions.current.settings.purgeAfter)
        await step("purged", at: now) { () async throws(StoreError) in
            try await store.purge(endedBefore: limit, at: now)
        }
        await tellBudgets(at: now)
    }

    /// A limit that the last session of an evening reached is told of then, not when the next one comes.
    func tellBudgets(at now: Timestamp) async {
        do throws(Problem) {
            try await sessions.refreshBudgets()
        } catch {
            sessions.log(.error, "budgets could not be counted", at: now, [(.code, .text(error.code.rawValue))])
        }
    }

    /// Reads this month and the last before somebody of finance's opens their page, where there is anybody.
    func keepMonths() async {
        let running = sessions.current
        guard running.settings.clients.contains(where: { $0.role == .finance }) else { return }
        let month = UsageService(sessions: sessions).currentMonth
        for month in [month.previous, month] {
            await months.keep(
                month, by: UsagePage.shapes, in: sessions.store, book: running.settings.prices,
                at: sessions.clock.now())
        }
    }

    func step(
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
