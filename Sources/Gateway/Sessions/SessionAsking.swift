import VerificationCore

extension SessionService {
    /// The longest that one question may take.
    static let questionTimeout = Duration.seconds(20)
    /// How long a session that is being asked for is left alone: longer than a question takes, so that only a process
    /// that died leaves one to be taken again.
    static let questionLease = Duration.seconds(30)
    /// Questions at once. They hold no evidence, only a connection each.
    static let maximumQuestions = 64

    /// Asks for the verdicts that are due to be asked for, and returns how many those were.
    func askDue(limit: Int = SessionService.maximumQuestions) async throws(StoreError) -> Int {
        let due = try await takeDue(limit: limit)
        await withTaskGroup(of: Void.self) { group in
            for record in due { group.addTask { await self.ask(record) } }
        }
        return due.count
    }

    /// The sessions whose verifier is to be asked now; nobody else asks for them meanwhile.
    func takeDue(limit: Int) async throws(StoreError) -> [SessionRecord] {
        let now = clock.now()
        return try await store.takeDueWaits(at: now, lease: now.advanced(by: Self.questionLease), limit: limit)
    }

    /// Asks for one session. What the store does not take is asked for again after the lease.
    func ask(_ record: SessionRecord) async {
        do throws(Problem) {
            guard let wait = record.wait, let (work, opened) = try await waitingWork(on: record) else { return }
            try await ask(work, opened, wait)
        } catch {
            log(
                .error, "a session that waits could not be asked for", at: clock.now(),
                [(.session, .text(record.id.rawValue)), (.code, .text(error.code.rawValue))])
        }
    }

    /// The work on a session that waits, and the verifier it waits for. A session whose verifier is gone fails.
    func waitingWork(on record: SessionRecord) async throws(Problem) -> (SessionWork, OpenedVerifier)? {
        let context = context(of: record)
        // What cannot be opened now may be when its sealing key is back; nothing is concluded without it.
        guard context != nil || record.erasedAt != nil else { throw Problem(.internal) }
        var verifier = awaitedVerifier(of: record, context)
        var attempt: LedgerDraft?
        if context == nil {
            // Erased: the ledger still tells which attempt is the last.
            attempt = try await events(of: record.id).last {
                $0.draft.kind == .started && $0.draft.call == CallName(.submit) && $0.draft.role != .shadow
            }?.draft
            verifier = attempt?.verifier ?? verifier
        }
        let opened = current.verifiers[verifier]
        guard let opened, verifier != record.verifier || fits(opened, record) else {
            let work = work(on: record, context, by: opened?.description ?? VerifierDescription(gone: record))
            _ = try await conclude(work, .failure(.verifierGone, .unknown))
            return nil
        }
        var work = work(on: record, context, by: opened.description)
        if let attempt {
            work = work.speaking(of: attempt)
            try await recall(&work)
        }
        return (work, opened)
    }

    private func ask(_ work: SessionWork, _ opened: OpenedVerifier, _ wait: ProviderWait) async throws(Problem) {
        let now = clock.now()
        // Past it the session is over; the housekeeper says so.
        guard work.record.processingDeadline.map({ now <= $0 }) ?? true else { return }
        // A submission that is under way here tells more than any question.
        guard !inFlight.isSubmitting(work.record.id) else { return }
        let deadline = min(now.advanced(by: Self.questionTimeout), work.record.processingDeadline ?? now)
        let call = try await question(wait.step, of: work, asked: wait.asked)
        guard let answer = await put(call, of: work, to: opened, at: now, deadline: deadline) else {
            _ = try await suspend(
                work, until: ProviderWait(nextAt: nil, step: wait.step, asked: wait.asked),
                events: call.ended(.failed, at: now))
            return
        }
        try await take(answer, to: call, of: work, wait)
    }

    /// Puts a question to the verifier; `nil` where it does not know such questions.
    func put(
        _ call: ProviderCall, of work: SessionWork, to opened: OpenedVerifier, at now: Timestamp, deadline: Timestamp
    ) async -> Result<Fetched, VerificationError>? {
        switch (call.step, opened.verifier) {
        case (.poll, let verifier as any PollingVerifier):
            await calling(call, permit: nil) { () async throws(VerificationError) in
                .conclusion(try await verifier.poll(work.challenge, in: call.context(at: now, deadline: deadline)))
            }
        case (.fetch, let verifier as any FetchingVerifier):
            await calling(call, permit: nil) { () async throws(VerificationError) in
                try await verifier.fetch(work.challenge, in: call.context(at: now, deadline: deadline))
            }
        default: nil
        }
    }

    /// What follows from the answer to a question.
    private func take(
        _ answer: Result<Fetched, VerificationError>, to call: ProviderCall, of work: SessionWork, _ wait: ProviderWait
    ) async throws(Problem) {
        let now = clock.now()
        let asked = wait.asked + 1
        switch answer {
        case .success(.conclusion(.verdict(let verdict, let incidents, let facts))):
            _ = try await conclude(
                work, .verdict(verdict, incidents, facts),
                events: call.ended(.answered(verdict.outcome, facts), at: now))
        case .success(.conclusion(.pending(let pending))):
            // Its answer was lost and it did arrive: from now on it is a verdict that comes later.
            _ = try await suspend(
                work, until: pendingWait(work, asked: asked, retryAfter: pending.retryAfter), facts: pending.provider,
                events: call.ended(.answered(nil, pending.provider), at: now))
        case .success(.neverReceived):
            _ = try await conclude(
                work, .failure(.providerUnavailable, .failed),
                events: call.ended(.answered(nil, ProviderFacts()), at: now))
        case .failure(let error):
            let events = call.ended(error.mayHaveBilled ? .unknown : .failed, at: now)
            _ = try await suspend(work, until: next(wait, after: error, work: work), events: events)
        }
    }

    /// When to ask again after an error. What the verifier says it cannot ask is asked no more: a notice may come.
    private func next(_ wait: ProviderWait, after error: VerificationError, work: SessionWork) -> ProviderWait {
        let asked = wait.asked + 1
        guard error.code.canBeAskedAgain else { return ProviderWait(nextAt: nil, step: wait.step, asked: asked) }
        return wait.step == .fetch
            ? lostWait(work, asked: asked, retryAfter: error.retryAfter)
            : pendingWait(work, asked: asked, retryAfter: error.retryAfter)
    }

    /// A question, numbered; one that may bill is written down before it is asked, under a number that is not taken.
    func question(_ step: VerificationStep, of work: SessionWork, asked: Int) async throws(Problem) -> ProviderCall {
        var call = work.attempt.call(step, number: asked + 1)
        guard call.isWrittenBefore else { return call }
        for _ in 0..<Self.looks {
            let taken = try await events(of: work.record.id).filter {
                $0.draft.attempt == work.attempt.id && $0.draft.kind == .started
                    && $0.draft.call?.rawValue.hasPrefix(step.rawValue + ":") == true
            }
            call = work.attempt.call(step, number: taken.count + 1)
            let started = call.started(at: clock.now())
            do throws(StoreError) {
                try await persisted { () async throws(StoreError) in try await self.store.append([started]) }
                return call
            } catch {
                guard error == .conflict else { throw problem(error) }
            }
        }
        throw Problem(.internal)
    }
}

extension Verdict {
    /// The outcome that the ledger knows it by.
    var outcome: AttemptOutcome {
        switch self {
        case .verified: .verified
        case .rejected: .rejected
        }
    }
}

extension SessionService {
    /// The processing deadline of a session passed: how its submission came out is not known, and may be asked about
    /// later. One that is under way here says so itself.
    func leaveUncertain(_ record: SessionRecord) async {
        guard !inFlight.isSubmitting(record.id) else { return }
        do throws(Problem) {
            let now = clock.now()
            let events = try await events(of: record.id)
            let open = events.filter { event in
                event.draft.kind == .started && event.draft.role != .shadow
                    && !events.contains {
                        $0.draft.attempt == event.draft.attempt && $0.draft.call == event.draft.call
                            && $0.draft.kind != .started
                    }
            }
            try await append(
                open.map { event in
                    let isOwn = event.draft.attempt == record.attempt && event.draft.call == CallName(.submit)
                    return ProviderCall.uncertain(
                        event, at: now, reference: isOwn ? record.providerReference : nil)
                })
        } catch {
            // The next start finds it open and says so.
            log(
                .error, "an open call could not be marked", at: clock.now(),
                [(.session, .text(record.id.rawValue)), (.code, .text(error.code.rawValue))])
        }
    }
}
