import VerificationCore

extension SessionService {
    /// Lets a session wait for its verifier. `events` tell of the call that said so.
    ///
    /// A session that ended meanwhile stays as it is; its events are written all the same.
    func suspend(
        _ work: SessionWork, until wait: ProviderWait?, facts: ProviderFacts = ProviderFacts(),
        events: [LedgerDraft] = []
    ) async throws(Problem) -> SessionRecord {
        var suspension = Suspension(wait: wait)
        let updated = work.updated(by: facts)
        if facts.state != nil || (work.attempt.role == .fallback && facts.reference != nil),
            let context = updated.context
        {
            suspension.sealedContext = try seal(context, of: work.record)
        }
        if facts.state != nil || facts.reference != nil {
            suspension.eraseTicket = try ticket(of: work.record, adding: updated)
        }
        if work.attempt.role == .primary { suspension.providerReference = facts.reference }
        return try await write(suspension, of: work.record, events: events)
    }

    /// Writes a suspension, and where the session has ended already, its events alone.
    func write(
        _ suspension: Suspension, of record: SessionRecord, events: [LedgerDraft]
    ) async throws(Problem) -> SessionRecord {
        do throws(StoreError) {
            return try await persisted { () async throws(StoreError) in
                try await self.store.suspend(record.id, suspension, ledger: events)
            }
        } catch {
            guard error == .conflict else { throw problem(error) }
        }
        // The session is over, or somebody settled the call: what is new of the events is written, and no session that
        // is still in processing goes on without its wait.
        try await append(events)
        let current = try await stored { () async throws(StoreError) in try await self.store.session(record.id) }
        guard current.status == .processing else { return current }
        do throws(StoreError) {
            return try await persisted { () async throws(StoreError) in
                try await self.store.suspend(record.id, suspension, ledger: [])
            }
        } catch {
            guard error == .conflict else { throw problem(error) }
            return try await stored { () async throws(StoreError) in try await self.store.session(record.id) }
        }
    }

    /// The wait for a verdict that the other side said will come.
    func pendingWait(_ work: SessionWork, asked: Int, retryAfter: Duration?) -> ProviderWait {
        let step = work.attempt.verifier.pendingStep
        return wait(work, step: step ?? .poll, canAsk: step != nil, asked: asked, retryAfter: retryAfter)
    }

    /// The wait for what became of a submission whose answer was lost.
    func lostWait(_ work: SessionWork, asked: Int, retryAfter: Duration?) -> ProviderWait {
        let step = work.attempt.verifier.lostStep
        return wait(work, step: step ?? .fetch, canAsk: step != nil, asked: asked, retryAfter: retryAfter)
    }

    private func wait(
        _ work: SessionWork, step: VerificationStep, canAsk: Bool, asked: Int, retryAfter: Duration?
    ) -> ProviderWait {
        guard canAsk else { return ProviderWait(nextAt: nil, step: step, asked: asked) }
        // A notice that came while the submission was under way said that there is something to have now.
        guard !inFlight.isNoticed(work.record.id) else {
            return ProviderWait(nextAt: clock.now(), step: step, asked: asked)
        }
        let next = WaitSchedule.next(
            asked: asked, retryAfter: retryAfter, chance: Double.random(in: 0...1), at: clock.now(),
            deadline: work.record.processingDeadline)
        return ProviderWait(nextAt: next, step: step, asked: asked)
    }
}

extension VerifierDescription {
    /// The step that asks for a verdict that was promised: *poll*, or *fetch* where there is no *poll*.
    var pendingStep: VerificationStep? {
        steps.contains(.poll) ? .poll : steps.contains(.fetch) ? .fetch : nil
    }

    /// The step that asks what became of a submission whose answer was lost. Without *fetch* that is *poll*, which asks by
    /// what `begin` brought or by a name of ours; where it needs what the lost answer had, the verifier says that it cannot.
    var lostStep: VerificationStep? {
        steps.contains(.fetch) ? .fetch : steps.contains(.poll) ? .poll : nil
    }
}
