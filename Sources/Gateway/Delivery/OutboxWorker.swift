import Synchronization
import VerificationCore

/// Takes messages out of the outbox and delivers them, until they are taken or given up.
///
/// Each client, each verifier and the operators have a lane of its own with a few deliveries at once, so that one that is slow holds up
/// nobody else. A message may be delivered twice (when we stop between its delivery and the note of it) and in any
/// order; its identifier stays the same.
public final class OutboxWorker: Sendable {
    /// How often the outbox is looked into: how long a message waits at most before it leaves.
    public static let interval = Duration.milliseconds(500)
    /// Messages taken at once: enough to be quick, few enough to write in no time.
    static let batch = 64
    /// Deliveries at once in one lane.
    static let deliveriesPerLane = 4
    /// Messages that wait in one lane. What comes beyond is left to its lease and taken again after that.
    static let waitingPerLane = 1024
    /// How long others leave a taken message alone: longer than a delivery takes.
    static let lease = Duration.seconds(60)
    /// How long a stop waits for deliveries under way: as long as one may take, and a little.
    static let stopPatience = Duration.seconds(12)

    /// Whom a message goes to.
    private enum Lane: Hashable {
        case client(ClientID)
        case verifier(VerifierID)
        case operators

        init(_ message: OutboxMessage) {
            switch message.kind {
            case .sessionEnded: self = .client(message.client)
            case .providerErasure: self = .verifier(message.verifier)
            case .budgetReached: self = .operators
            }
        }
    }

    private struct State {
        var waiting: [Lane: [OutboxMessage]] = [:]
        var running: [Lane: Int] = [:]
        /// Messages that wait or run here: a lease that is over brings one again that is still under way.
        var held: Set<OutboxMessage.ID> = []
        var isStopped = false
    }

    private let sessions: SessionService
    private let delivery: Delivery
    private let schedule: DeliverySchedule
    private let state = Mutex(State())

    /// The worker of a gateway.
    public convenience init(of gateway: Gateway, sender: any WebhookSending) {
        self.init(of: gateway, sender: sender, schedule: DeliverySchedule { Double.random(in: 0..<1) })
    }

    init(of gateway: Gateway, sender: any WebhookSending, schedule: DeliverySchedule) {
        self.sessions = gateway.sessions
        self.delivery = Delivery(sessions: gateway.sessions, sender: sender)
        self.schedule = schedule
    }

    /// Runs until its task is cancelled, and then waits for what is under way.
    public func run() async {
        while !Task.isCancelled {
            // A full batch says that there may be more.
            if await take() == Self.batch { continue }
            try? await Task.sleep(for: Self.interval)
        }
        state.withLock { $0.isStopped = true }
        await idle(upTo: Self.stopPatience)
    }

    /// Takes what is due and sets it on its way; how many there were.
    @discardableResult
    func take() async -> Int {
        let now = sessions.clock.now()
        let messages: [OutboxMessage]
        do throws(StoreError) {
            messages = try await sessions.store.takeDueMessages(
                at: now, lease: now.advanced(by: Self.lease), limit: Self.batch)
        } catch {
            complain(error)
            return 0
        }
        for message in messages { admit(message) }
        return messages.count
    }

    /// Waits until nothing is under way.
    func idle(upTo limit: Duration) async {
        let end = ContinuousClock.now + limit
        // Not the task's own sleep: it returns at once where the task was cancelled.
        while ContinuousClock.now < end, state.withLock({ !$0.running.isEmpty }) {
            await Task { try? await Task.sleep(for: .milliseconds(10)) }.value
        }
    }

    private func admit(_ message: OutboxMessage) {
        let lane = Lane(message)
        let starts = state.withLock { state in
            guard !state.isStopped, !state.held.contains(message.id),
                state.waiting[lane, default: []].count < Self.waitingPerLane
            else { return false }
            state.held.insert(message.id)
            state.waiting[lane, default: []].append(message)
            guard state.running[lane, default: 0] < Self.deliveriesPerLane else { return false }
            state.running[lane, default: 0] += 1
            return true
        }
        if starts { Task { [self] in await work(lane) } }
    }

    private func work(_ lane: Lane) async {
        while let message = next(in: lane) {
            await deliver(message)
            state.withLock { _ = $0.held.remove(message.id) }
        }
    }

    /// The next message of a lane; the place is given back where there is none.
    private func next(in lane: Lane) -> OutboxMessage? {
        state.withLock { state in
            if state.isStopped {
                for message in state.waiting.removeValue(forKey: lane) ?? [] { state.held.remove(message.id) }
            }
            if var waiting = state.waiting[lane], !waiting.isEmpty {
                let message = waiting.removeFirst()
                state.waiting[lane] = waiting.isEmpty ? nil : waiting
                return message
            }
            let left = state.running[lane, default: 1] - 1
            state.running[lane] = left > 0 ? left : nil
            return nil
        }
    }

    private func deliver(_ message: OutboxMessage) async {
        let result = await delivery.deliver(message)
        let now = sessions.clock.now()
        guard let settlement = settlement(of: message, result, at: now) else { return }
        count(message, result, settlement, at: now)
        do throws(StoreError) {
            try await sessions.store.settle(
                message.id, settlement, audit: sessions.erasureAudit(of: message, settlement, at: now))
        } catch {
            // It is delivered again when its lease is over.
            complain(error)
        }
    }

    private func settlement(
        of message: OutboxMessage, _ result: DeliveryResult, at now: Timestamp
    ) -> OutboxSettlement? {
        switch result {
        case .delivered: return .delivered
        case .refused(let code): return .dead(at: now, error: code)
        case .failed(let code, let asked):
            guard let delay = schedule.delay(afterTries: message.tries + 1, asked: asked) else {
                return .dead(at: now, error: code)
            }
            return .retry(at: now.advanced(by: delay), error: code)
        case .interrupted: return nil
        }
    }

    private func count(
        _ message: OutboxMessage, _ result: DeliveryResult, _ settlement: OutboxSettlement, at now: Timestamp
    ) {
        let (outcome, code): (String, String?) =
            switch settlement {
            case .delivered: ("delivered", nil)
            case .retry(_, let code): ("failed", code)
            case .dead(_, let code): ("given_up", code)
            }
        sessions.metrics.count(.deliveries, [("kind", message.kind.rawValue), ("outcome", outcome)])
        guard let code, outcome == "given_up" else { return }
        sessions.log(
            .error, "a message was given up", at: now,
            [
                (.message, .text(message.id)), (.kind, .text(message.kind.rawValue)),
                (.client, .text(message.client.rawValue)), (.verifier, .text(message.verifier.rawValue)),
                (.code, .text(code)),
            ])
    }

    private func complain(_ error: StoreError) {
        sessions.metrics.count(.storeErrors, [("code", error.rawValue)])
        sessions.log(
            .error, "the outbox could not be used", at: sessions.clock.now(), [(.code, .text(error.rawValue))])
    }
}
