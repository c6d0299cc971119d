import Routing
import VerificationCore

extension SessionService {
    /// Asks the session's fallbacks, in order, after an error that billed nothing; without one it fails.
    ///
    /// Only a verifier that can judge what was made for the pinned one is asked: the same wallet identity and keys, a
    /// nonce of ours. Each is an attempt of its own. A verdict, a pending answer or an error that may have billed ends
    /// the search.
    func fallBack(
        from work: SessionWork, with evidence: Evidence, after error: VerificationError
    ) async throws(Problem) -> SessionView {
        let primary = work.attempt.verifier
        var last = work
        for id in work.record.routing.fallbacks {
            guard let opened = current.verifiers[id], isUsable(opened, insteadOf: primary, for: work) else { continue }
            guard current.circuits.outage(of: id, at: clock.monotonic()) == nil else { continue }
            let attempt = Attempt(
                id: AttemptID(identifier("att_")), role: .fallback, verifier: opened.description, of: work.record)
            // Where the ledger cannot be read now, what was read last decides: a verdict hangs on it.
            try? await refreshBudgets()
            guard
                budgets.reserve(attempt, until: work.record.processingDeadline ?? clock.now(), at: clock.now())
            else { continue }
            var isBegun = false
            defer { if !isBegun { budgets.release(attempt.id) } }
            let challenge: Challenge
            let begun: [LedgerDraft]
            switch try await begin(
                work.challenge.request, in: attempt, by: opened,
                deadline: work.record.processingDeadline ?? clock.now())
            {
            case .open(let opened, let events): (challenge, begun) = (opened, events)
            case .failed: continue
            // What may have been billed there ends the search: nobody else is asked.
            case .lost: return try await fail(last, after: error)
            }
            guard challenge.walletIdentity == work.record.walletIdentity,
                let permit = try? current.circuits.acquire(id, at: clock.monotonic())
            else {
                try await append(begun)
                continue
            }
            var next = last
            next.attempt = attempt
            next.attempt.providerReference = challenge.providerReference
            next.challenge = challenge
            next.startedAt = clock.now()
            next.context?.fallback = SealedContext.Fallback(
                verifier: id, attempt: attempt.id, state: challenge.state,
                providerReference: challenge.providerReference)
            guard try await move(from: last, to: next, begun: begun) else {
                return try view(
                    try await stored { () async throws(StoreError) in try await self.store.session(work.record.id) })
            }
            isBegun = true
            let result = await judge(evidence, next, by: opened, permit: permit)
            switch result {
            case .success(let conclusion): return try await take(conclusion, of: next)
            case .failure(let error) where error.mayHaveBilled && opened.description.reachesOut:
                return try await lose(next, after: error)
            case .failure: last = next
            }
        }
        return try await fail(last, after: error)
    }

    /// Writes that one attempt ended and that the next one begins, with what is needed to ask for its answer later.
    /// `false` where the session ended meanwhile: then nothing is submitted any more.
    private func move(from last: SessionWork, to next: SessionWork, begun: [LedgerDraft]) async throws(Problem) -> Bool
    {
        let now = clock.now()
        var events = last.submission.concluded(.failed, startedAt: last.startedAt, at: now) + begun
        if next.submission.isWrittenBefore { events.append(next.submission.started(at: next.startedAt)) }
        var suspension = Suspension(wait: nil)
        suspension.sealedContext = try next.context.flatMap { context throws(Problem) in
            try seal(context, of: next.record)
        }
        suspension.eraseTicket = try ticket(of: last.record, adding: next)
        let (final, drafts) = (suspension, events)
        do throws(StoreError) {
            _ = try await persisted { () async throws(StoreError) in
                try await self.store.suspend(next.record.id, final, ledger: drafts)
            }
            return true
        } catch {
            guard error == .conflict else { throw problem(error) }
            try await settle(last.submission, .failed, startedAt: last.startedAt)
            try await append(begun)
            return false
        }
    }

    private func fail(_ work: SessionWork, after error: VerificationError) async throws(Problem) -> SessionView {
        try await conclude(work, .failure(FailureCode(error.code), .failed))
    }

    /// Whether a verifier can and may judge what was made for another. One that answers by notices only could not be
    /// waited for: notices are found by the pinned verifier's reference.
    private func isUsable(
        _ opened: OpenedVerifier, insteadOf primary: VerifierDescription, for work: SessionWork
    ) -> Bool {
        let description = opened.description
        let now = clock.now()
        return description.id != primary.id && description.canJudgeEvidence(of: primary)
            && description.documentTypes.contains(work.record.documentType)
            && work.context.map { description.canServe($0.purpose, work.record.documentType) } ?? true
            && description.isSimulated == work.record.isSimulated
            // One without a certification must not answer for a session that was promised one.
            && (work.record.certification == nil || description.certification != nil)
            && (!description.isNotified || !description.steps.isDisjoint(with: [.poll, .fetch]))
            && opened.isReady(at: now)
            && isCertified(opened, for: work.record, regimes: work.context?.purpose.regimes, at: now)
    }
}
