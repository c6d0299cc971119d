import Routing
import Synchronization
import VerificationCore

/// Second verifications whose verdict comes later. They hold no evidence any more, only what asking takes, in memory: a
/// stop forgets them, and the next start finds their open calls and says that nobody knows.
final class AwaitedShadows: Sendable {
    /// Awaited at once; each may be asked about at the same time as the others.
    static let maximum = 64

    /// What asking takes.
    struct Awaited: Sendable {
        /// The work of the shadow's own attempt, without the session's context.
        var work: SessionWork
        let primary: PrimaryResult
        let deadline: Timestamp
        var asked = 0
        /// `nil` where it is not asked any more.
        var nextAt: Timestamp?

        /// The verifier that is asked.
        var verifier: VerifierID { work.attempt.verifier.id }
    }

    private struct State {
        var places = 0
        var waiting: [Awaited] = []
    }

    private let state = Mutex(State())

    /// Takes a place; `false` where all are taken.
    func take() -> Bool {
        state.withLock { state in
            guard state.places < Self.maximum else { return false }
            state.places += 1
            return true
        }
    }

    /// Gives a place back.
    func release() { state.withLock { $0.places -= 1 } }

    /// Lets one that has a place wait until it is due.
    func wait(_ awaited: Awaited) { state.withLock { $0.waiting.append(awaited) } }

    /// Those that are to be asked, or given up, now.
    func due(at now: Timestamp) -> [Awaited] {
        state.withLock { state in
            let isDue = { (awaited: Awaited) in (awaited.nextAt.map { $0 <= now } ?? false) || awaited.deadline <= now }
            defer { state.waiting.removeAll(where: isDue) }
            return state.waiting.filter(isDue)
        }
    }

    /// How many are awaited.
    var count: Int { state.withLock { $0.places } }
}

extension SessionService {
    /// Lets a second verification wait for its verdict, out of everybody's way.
    func awaitVerdict(
        _ pending: Pending, at challenge: Challenge, of attempt: Attempt, for job: Shadows.Job,
        _ primary: PrimaryResult, startedAt: Timestamp, deadline: Timestamp
    ) async throws(Problem) {
        var work = job.work
        work.context = nil
        work.attempt = attempt
        work.challenge = challenge
        work.startedAt = startedAt
        var awaited = AwaitedShadows.Awaited(
            work: work.updated(by: pending.provider), primary: primary, deadline: deadline)
        // A notice finds its session by the pinned verifier's reference, so one that can be told by notices alone is not.
        guard attempt.verifier.pendingStep != nil else { return await giveUp(awaited, "verdict", .failed) }
        guard shadows.awaited.take() else { return await giveUp(awaited, "skipped", "overloaded") }
        awaited.nextAt = nextQuestion(awaited, pending.retryAfter)
        shadows.awaited.wait(awaited)
    }

    /// Asks about the second verifications that are due to be asked about.
    func askShadows() async {
        await withTaskGroup(of: Void.self) { group in
            for awaited in shadows.awaited.due(at: clock.now()) { group.addTask { await self.ask(awaited) } }
        }
    }

    /// Asks about one second verification, or gives it up.
    func ask(_ awaited: AwaitedShadows.Awaited) async {
        do throws(Problem) {
            if let again = try await asked(awaited) { return shadows.awaited.wait(again) }
        } catch {
            // What the store does not take now, the next start says of the call that is still open.
            countShadow("skipped", error.code.rawValue)
        }
        shadows.awaited.release()
    }

    /// Asks, and returns what is to wait again; `nil` where it is over.
    private func asked(_ awaited: AwaitedShadows.Awaited) async throws(Problem) -> AwaitedShadows.Awaited? {
        let now = clock.now()
        guard (try? await store.session(awaited.work.record.id))?.erasedAt == nil else {
            await giveUp(awaited, "skipped", "erased")
            return nil
        }
        guard now < awaited.deadline, let opened = current.verifiers[awaited.verifier],
            let step = opened.description.pendingStep
        else {
            await giveUp(awaited, "verdict", .failed)
            return nil
        }
        var next = awaited
        next.asked += 1
        let call = try await question(step, of: awaited.work, asked: awaited.asked)
        let deadline = min(now.advanced(by: Self.questionTimeout), awaited.deadline)
        guard let answer = await put(call, of: awaited.work, to: opened, at: now, deadline: deadline) else {
            try await append(call.ended(.failed, at: clock.now()))
            next.nextAt = nil
            return next
        }
        switch answer {
        case .success(.conclusion(.verdict(let verdict, _, let facts))):
            try await append(call.ended(.answered(verdict.outcome, facts), at: clock.now()))
            try await end(awaited, .answered(verdict.outcome, facts), verdict)
            return nil
        case .success(.conclusion(.pending(let pending))):
            try await append(call.ended(.answered(nil, pending.provider), at: clock.now()))
            next.work = next.work.updated(by: pending.provider)
            next.nextAt = nextQuestion(next, pending.retryAfter)
        case .success(.neverReceived):
            try await append(call.ended(.answered(nil, ProviderFacts()), at: clock.now()))
            try await end(awaited, .failed, nil)
            return nil
        case .failure(let error):
            try await append(call.ended(error.mayHaveBilled ? .unknown : .failed, at: clock.now()))
            next.nextAt = error.code.canBeAskedAgain ? nextQuestion(next, error.retryAfter) : nil
        }
        return next
    }

    private func nextQuestion(_ awaited: AwaitedShadows.Awaited, _ retryAfter: Duration?) -> Timestamp? {
        WaitSchedule.next(
            asked: awaited.asked, retryAfter: retryAfter, chance: Double.random(in: 0...1), at: clock.now(),
            deadline: awaited.deadline)
    }

    /// The verdict did not come in time, or nobody may ask for it any more.
    private func giveUp(_ awaited: AwaitedShadows.Awaited, _ subject: String, _ outcome: ShadowCount.Outcome) async {
        await giveUp(awaited)
        await count([(subject, outcome)], primary: awaited.primary.verifier, shadow: awaited.verifier)
    }

    private func giveUp(_ awaited: AwaitedShadows.Awaited, _ subject: String, _ why: String) async {
        await giveUp(awaited)
        countShadow(subject, why)
    }

    private func giveUp(_ awaited: AwaitedShadows.Awaited) async {
        do throws(Problem) {
            // Where each call bills, what it billed is known; where the verdict decides, the invoice will say.
            let call = awaited.work.submission
            let end: CallEnd = call.isBilledByVerdict ? .unknown : .answered(nil, ProviderFacts())
            try await settle(call, end, startedAt: awaited.work.startedAt)
        } catch {
            countShadow("skipped", error.code.rawValue)
        }
        await eraseShadow(awaited.work.challenge, of: awaited.work.attempt)
    }

    private func end(_ awaited: AwaitedShadows.Awaited, _ end: CallEnd, _ verdict: Verdict?) async throws(Problem) {
        try await settle(awaited.work.submission, end, startedAt: awaited.work.startedAt)
        await eraseShadow(awaited.work.challenge, of: awaited.work.attempt)
        await compare(verdict, with: awaited.primary, shadow: awaited.verifier)
    }
}

extension VerificationError.Code {
    /// Whether another question may bring what this one did not; what a verifier says it cannot ask, it never can.
    var canBeAskedAgain: Bool {
        switch self {
        case .requestUnsupported, .challengeUnusable: false
        case .providerUnavailable, .providerTimeout, .providerProtocolError, .revocationUnavailable, .cancelled,
            .internal:
            true
        }
    }
}
