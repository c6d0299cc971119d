import VerificationCore

extension SessionService {
    /// How long a notice that nobody can place is held while a submission to its verifier is under way: its reference
    /// may be the one that the submission is about to bring. Providers wait ten seconds for an answer.
    static let noticeHold = Duration.seconds(5)
    /// Notices held at once; the sender of one more is told to send it again.
    static let maximumHeldNotices = 64

    /// Takes what a verifier's provider sent: authenticates it, finds the session and does what follows.
    ///
    /// Throws `unauthorized` for a signature that is missing, wrong or outside its time, `forbidden` for a session of
    /// another verifier, `requestInvalid` for an authentic notice that says nothing, `routeNotFound` where the verifier
    /// takes none. What throws has changed nothing.
    func receiveNotice(
        _ notification: Notification, for verifier: VerifierID
    ) async throws(Problem) -> NoticeEffect {
        guard let opened = current.verifiers[verifier], opened.description.isNotified,
            let notified = opened.verifier as? any NotifiedVerifier
        else { throw Problem(.routeNotFound) }
        let notice: Notice
        do throws(NotificationError) {
            notice = try notified.receive(notification, at: clock.now())
        } catch {
            count(error, of: verifier)
            switch error {
            case .notConfigured: throw Problem(.routeNotFound)
            case .signatureInvalid, .outsideTolerance: throw Problem(.unauthorized)
            case .malformed: throw Problem(.requestInvalid, "the notice is not what its verifier's provider sends")
            }
        }
        let effect = try await effect(of: notice, by: notified, opened)
        metrics.count(.notices, [("verifier", verifier.rawValue), ("effect", effect.rawValue)])
        return effect
    }

    private func effect(
        of notice: Notice, by notified: any NotifiedVerifier, _ opened: OpenedVerifier
    ) async throws(Problem) -> NoticeEffect {
        let verifier = opened.description.id
        guard let record = try await session(of: verifier, notice.providerReference) else {
            try await refuseForeign(notice, at: verifier)
            _ = try await take(notice, of: verifier)
            return .unknownReference
        }
        let isNew = try await take(notice, of: verifier)
        switch record.status {
        case .created: return isNew ? .noted : .duplicate
        case .processing: return try await apply(notice, isNew: isNew, to: record, by: notified, opened)
        case .verified, .rejected, .failed, .expired, .cancelled:
            try await settleLate(notice, of: record, by: notified, opened)
            return isNew ? .late : .duplicate
        }
    }

    /// A notice that was taken before is applied again as long as its session goes on: its first taking may have been
    /// cut short by a crash, and applying it twice changes nothing.
    private func apply(
        _ notice: Notice, isNew: Bool, to record: SessionRecord, by notified: any NotifiedVerifier,
        _ opened: OpenedVerifier
    ) async throws(Problem) -> NoticeEffect {
        // One that speaks for the pinned verifier says nothing of a fallback that is being asked instead.
        let context = context(of: record)
        guard context != nil || record.erasedAt != nil else { throw Problem(.internal) }
        guard context?.fallback == nil, fits(opened, record) else { return .noted }
        var work = work(on: record, context, by: opened.description)
        if context == nil { try await recall(&work) }
        let now = clock.now()
        let conclusion: Conclusion?
        do throws(VerificationError) {
            conclusion = try notified.conclude(
                notice, for: work.challenge,
                in: work.submission.context(at: now, deadline: record.processingDeadline ?? now))
        } catch {
            log(
                .warning, "a verifier could not read a notice", at: now,
                [
                    (.session, .text(record.id.rawValue)), (.verifier, .text(record.verifier.rawValue)),
                    (.code, .text(error.code.rawValue)), (.site, .text(error.site)),
                ])
            return .unusable
        }
        switch conclusion {
        case .verdict(let verdict, let incidents, let facts):
            let view = try await conclude(work, .verdict(verdict, incidents, facts))
            return view.record.endedAt == nil ? .noted : .concluded
        case .pending: return isNew ? .noted : .duplicate
        case nil: return try await fetch(work, isNew: isNew)
        }
    }

    /// A notice without a result has it fetched: at once, or as soon as the submission that is under way is over.
    private func fetch(_ work: SessionWork, isNew: Bool) async throws(Problem) -> NoticeEffect {
        if inFlight.notice(work.record.id) { return isNew ? .fetching : .duplicate }
        let steps = work.attempt.verifier.steps
        guard let wait = work.record.wait, !steps.isDisjoint(with: [.poll, .fetch]) else { return .unusable }
        // A question that is due already is not asked a second time for a notice's second delivery.
        guard isNew || wait.nextAt == nil else { return .duplicate }
        let step: VerificationStep = steps.contains(.fetch) ? .fetch : .poll
        _ = try await suspend(work, until: ProviderWait(nextAt: clock.now(), step: step, asked: wait.asked))
        return .fetching
    }

    /// What a notice for an ended session tells the ledger.
    private func settleLate(
        _ notice: Notice, of record: SessionRecord, by notified: any NotifiedVerifier, _ opened: OpenedVerifier
    ) async throws(Problem) {
        let context = context(of: record)
        guard record.claimedAt != nil, context?.fallback == nil else { return }
        let work = work(on: record, context, by: opened.description)
        // A submission that is under way settles itself.
        guard record.attempt != nil, !inFlight.isSubmitting(record.id) else { return }
        let now = clock.now()
        let conclusion = try? notified.conclude(
            notice, for: work.challenge, in: work.submission.context(at: now, deadline: now))
        guard case .verdict(let verdict, _, let facts) = conclusion else { return }
        try await settle(work.submission, .answered(verdict.outcome, facts), startedAt: work.startedAt)
    }

    /// The session of a reference. While a submission to the verifier is under way, an unknown one may become known.
    private func session(of verifier: VerifierID, _ reference: String) async throws(Problem) -> SessionRecord? {
        let end = ContinuousClock.now.advanced(by: Self.noticeHold)
        var isHeld = false
        defer { if isHeld { heldNotices.add(-1) } }
        while true {
            let seen = inFlight.submissions(to: verifier)
            let found = try await stored { () async throws(StoreError) in
                try await self.store.session(of: verifier, providerReference: reference)
            }
            if let found { return found }
            guard seen.running > 0 else { return nil }
            if !isHeld {
                isHeld = true
                guard heldNotices.add(1) <= Self.maximumHeldNotices else {
                    throw Problem(.overloaded, retryAfter: 1)
                }
            }
            while inFlight.submissions(to: verifier).ended == seen.ended {
                guard ContinuousClock.now < end else { return nil }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// A notice that speaks of another verifier's session is refused: whoever sends it has mixed something up.
    private func refuseForeign(_ notice: Notice, at verifier: VerifierID) async throws(Problem) {
        for other in current.verifiers.keys where other != verifier {
            let found = try await stored { () async throws(StoreError) in
                try await self.store.session(of: other, providerReference: notice.providerReference)
            }
            guard found == nil else {
                metrics.count(.notices, [("verifier", verifier.rawValue), ("effect", "foreign")])
                throw Problem(.forbidden, "the notice is about a session of another verifier")
            }
        }
    }

    private func take(_ notice: Notice, of verifier: VerifierID) async throws(Problem) -> Bool {
        let now = clock.now()
        return try await stored { () async throws(StoreError) in
            try await self.store.takeNotice(notice.id, of: verifier, at: now)
        }
    }

    private func count(_ error: NotificationError, of verifier: VerifierID) {
        metrics.count(.notices, [("verifier", verifier.rawValue), ("effect", error.rawValue)])
        log(
            .warning, "a notice was refused", at: clock.now(),
            [(.verifier, .text(verifier.rawValue)), (.code, .text(error.rawValue))])
    }
}
