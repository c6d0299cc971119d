import Routing
import VerificationCore

extension Shadows {
    /// Holds the evidence of a session that is in a share.
    func hold(_ evidence: Evidence, for work: SessionWork, in service: SessionService) {
        guard work.record.routing.shadow != nil else { return }
        if !hold(evidence, for: work, at: service.clock.now()) { service.countShadow("skipped", "overloaded") }
    }

    /// The session ended. With a verdict the second verification begins, beside everything else.
    func primaryEnded(
        _ session: SessionID, by verifier: VerifierID, with judgement: Judgement, in service: SessionService
    ) {
        guard case .verdict(let verdict, _, _) = judgement else { return drop(session) }
        var generator = SystemRandomNumberGenerator()
        let key = ComparisonKey(using: &generator)
        let primary = PrimaryResult(verifier: verifier, digests: VerdictDigests(verdict, under: key), key: key)
        guard release(session, with: primary) else { return }
        Task { [self] in
            while let (job, primary) = next() { await service.shadow(job, primary) }
        }
    }
}

extension SessionService {
    /// How long a second verification may take. Nobody waits for it, and it holds evidence.
    static let shadowTimeout = Duration.seconds(60)

    /// Verifies a session a second time and counts what the two agree in.
    func shadow(_ job: Shadows.Job, _ primary: PrimaryResult) async {
        let now = clock.now()
        guard let opened = current.verifiers[job.shadow], isUsable(opened, asShadowOf: job, primary) else {
            return countShadow("skipped", OutageReason.unsuitable.rawValue)
        }
        // An erased session is not shown to anybody any more.
        guard let record = try? await store.session(job.work.record.id), record.erasedAt == nil,
            now.duration(since: job.heldAt) < current.settings.processingDeadline + Self.shadowTimeout
        else { return countShadow("skipped", "erased") }
        if let outage = current.circuits.outage(of: job.shadow, at: clock.monotonic()) {
            return countShadow("skipped", outage.rawValue)
        }
        do throws(Problem) {
            try await refreshBudgets()
        } catch {
            return countShadow("skipped", error.code.rawValue)
        }
        let attempt = Attempt(
            id: AttemptID(identifier("att_")), role: .shadow, verifier: opened.description, of: record)
        guard budgets.reserve(attempt, until: clock.now().advanced(by: Self.shadowTimeout), at: clock.now()) else {
            return countShadow("skipped", OutageReason.budgetSpent.rawValue)
        }
        // By then the ledger has it, or it never left.
        defer { budgets.release(attempt.id) }
        do throws(Problem) {
            switch try await verifyAgain(job, primary, attempt, by: opened) {
            case .told(let verdict): await compare(verdict, with: primary, shadow: job.shadow)
            case .comesLater: break
            }
        } catch {
            countShadow("skipped", error.code.rawValue)
        }
    }

    /// What came of a second verification.
    private enum Second {
        /// A verdict, or none.
        case told(Verdict?)
        /// It is asked for, out of the way.
        case comesLater
    }

    /// The second verification: an attempt of its own, written down as any other.
    private func verifyAgain(
        _ job: Shadows.Job, _ primary: PrimaryResult, _ attempt: Attempt, by opened: OpenedVerifier
    ) async throws(Problem) -> Second {
        var attempt = attempt
        let startedAt = clock.now()
        let deadline = startedAt.advanced(by: Self.shadowTimeout)
        let challenge: Challenge
        switch try await begin(job.work.challenge.request, in: attempt, by: opened, deadline: deadline) {
        case .open(let opened, let events):
            try await append(events)
            challenge = opened
            // What an invoice's line names.
            attempt.providerReference = opened.providerReference
        case .failed, .lost: return .told(nil)
        }
        guard challenge.walletIdentity == job.work.record.walletIdentity,
            let permit = try? current.circuits.acquire(job.shadow, at: clock.monotonic())
        else { return .told(nil) }
        let call = attempt.call(.submit)
        if call.isWrittenBefore { try await append([call.started(at: startedAt)]) }
        let result = await calling(call, permit: permit) { () async throws(VerificationError) in
            try await opened.verifier.conclude(
                job.evidence, for: challenge, in: call.context(at: startedAt, deadline: deadline))
        }
        let end: CallEnd
        var verdict: Verdict?
        switch result {
        case .success(.verdict(let answer, _, let facts)):
            verdict = answer
            end = .answered(answer.outcome, facts)
        // The submission stays open in the ledger until its verdict is there, as any other's.
        case .success(.pending(let pending)):
            try await awaitVerdict(
                pending, at: challenge, of: attempt, for: job, primary, startedAt: startedAt, deadline: deadline)
            return .comesLater
        case .failure(let error): end = error.mayHaveBilled && opened.description.reachesOut ? .unknown : .failed
        }
        try await append(call.concluded(end, startedAt: startedAt, at: clock.now()))
        await eraseShadow(challenge, of: attempt)
        return .told(verdict)
    }

    /// What a shadow's provider was given has served its purpose.
    func eraseShadow(_ challenge: Challenge, of attempt: Attempt) async {
        guard let opened = current.verifiers[attempt.verifier.id], opened.description.steps.contains(.erase),
            let verifier = opened.verifier as? any ErasingVerifier
        else { return }
        let call = attempt.call(.erase)
        let now = clock.now()
        _ = await calling(call, permit: nil) { () async throws(VerificationError) in
            try await verifier.erase(
                challenge, in: call.context(at: now, deadline: now.advanced(by: Self.questionTimeout)))
        }
    }

    /// Compares a second verdict with the first and counts what they agree in; without one it counts as failed.
    func compare(_ verdict: Verdict?, with primary: PrimaryResult, shadow: VerifierID) async {
        let found = verdict.map { primary.digests.compared(with: VerdictDigests($0, under: primary.key)) }
        await count(found ?? [("verdict", .failed)], primary: primary.verifier, shadow: shadow)
    }

    private func isUsable(_ opened: OpenedVerifier, asShadowOf job: Shadows.Job, _ primary: PrimaryResult) -> Bool {
        let now = clock.now()
        let record = job.work.record
        return opened.description.id != primary.verifier
            && opened.description.canJudgeEvidence(of: job.work.attempt.verifier)
            && opened.description.documentTypes.contains(record.documentType)
            && job.work.context.map { opened.description.canServe($0.purpose, record.documentType) } ?? true
            && opened.isReady(at: now)
            && isCertified(opened, for: record, regimes: job.work.context?.purpose.regimes, at: now)
    }

    func count(
        _ found: [(subject: String, outcome: ShadowCount.Outcome)], primary: VerifierID, shadow: VerifierID
    ) async {
        let day = CivilDate(daysSinceEpoch: clock.now().milliseconds / 86_400_000)
        let counts = found.map {
            ShadowCount(
                day: day, primary: primary, shadow: shadow, subject: $0.subject, outcome: $0.outcome, count: 1)
        }
        for (subject, outcome) in found { countShadow(subject, outcome.rawValue) }
        do throws(StoreError) {
            try await persisted { () async throws(StoreError) in try await self.store.addShadowCounts(counts) }
        } catch {
            metrics.count(.storeErrors, [("code", error.rawValue)])
        }
    }

    /// Counts one comparison, or why there was none.
    func countShadow(_ subject: String, _ outcome: String) {
        metrics.count(.shadows, [("subject", subject), ("outcome", outcome)])
    }
}
