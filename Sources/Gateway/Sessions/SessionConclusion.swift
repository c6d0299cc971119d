import VerificationCore

/// What a session comes to.
enum Judgement: Sendable {
    /// A verdict.
    case verdict(Verdict, [Incident], ProviderFacts)
    /// No verdict will come. Whether the submission's own end is known stands beside it.
    case failure(FailureCode, CallEnd)
}

extension SessionService {
    /// Writes what a session comes to, its claims under the session's seal and its ledger events in one transaction,
    /// then says it. `events` are those of the call that told it, where that is another than the submission.
    ///
    /// A verdict that the store did not take is not told to anybody: the caller gets an error, and the session fails
    /// at its processing deadline. A verdict that comes later leaves the session as it is.
    func conclude(
        _ work: SessionWork, _ judgement: Judgement, events: [LedgerDraft] = []
    ) async throws(Problem) -> SessionView {
        let now = clock.now()
        let record = work.record
        var ending: SessionEnding
        var result: SealedResult?
        let end: CallEnd
        switch judgement {
        case .verdict(.verified(let verified, let report), let incidents, let facts):
            ending = SessionEnding(kind: .verified, at: now, report: report)
            ending.incidents = incidents
            result = SealedResult(
                claims: verified.claims.withValue { $0 }, document: verified.document.withValue { $0 })
            end = .answered(.verified, facts)
        case .verdict(.rejected(let report, let document), let incidents, let facts):
            ending = SessionEnding(kind: .rejected, at: now, report: report)
            ending.incidents = incidents
            result = SealedResult(claims: nil, document: document?.withValue { $0 })
            end = .answered(.rejected, facts)
        case .failure(let code, let submission):
            ending = SessionEnding(kind: .failed(code), at: now)
            end = submission
        }
        try complete(&ending, of: work, judgement)
        // Kept for no time at all, the result is in this one answer only: what is not written need not be destroyed.
        let isKept = work.retention > .zero
        if isKept, let result { ending.sealedResult = try seal(result, of: record) }
        guard let concluded = try await write(ending, of: work, end, events: events) else {
            // The session ended meanwhile: what ended first stays, whatever this was. An incident is one whenever it
            // happens.
            count(ending.incidents, of: record)
            for incident in ending.incidents { await auditLate(late(incident, of: record)) }
            return try view(try await stored { () async throws(StoreError) in try await self.store.session(record.id) })
        }
        count(concluded)
        count(ending.incidents, of: record)
        waiters.wake(record.id)
        shadows.primaryEnded(record.id, by: work.attempt.verifier.id, with: judgement, in: self)
        let kept = try view(concluded)
        guard !isKept, concluded.erasedAt == nil else { return kept }
        return SessionView(
            record: concluded, reference: kept.reference, purpose: kept.purpose, result: Sensitive(result))
    }

    /// Ends the session, or returns `nil` and leaves events of the ledger where it has ended already.
    private func write(
        _ ending: SessionEnding, of work: SessionWork, _ end: CallEnd, events: [LedgerDraft]
    ) async throws(Problem) -> SessionRecord? {
        for look in 0..<Self.looks {
            let call = work.submission
            // Whoever made the call knows that nobody has settled it, unless the write says otherwise.
            let own =
                work.isOwnCall && look == 0
                ? call.concluded(end, startedAt: work.startedAt, at: ending.at)
                : call.settlement(
                    end, among: try await self.events(of: work.record.id), startedAt: work.startedAt, at: ending.at)
            // The ledger has closed this call already: a fallback took the session over, and what comes of the call now
            // is no verdict on it. A status that no event of the ledger stands behind must not be.
            if case .answered = end, own.isEmpty, call.isWrittenBefore { break }
            do throws(StoreError) {
                return try await persisted { () async throws(StoreError) in
                    try await self.store.conclude(work.record.id, with: ending, ledger: events + own)
                }
            } catch {
                guard error == .conflict else { throw problem(error) }
            }
            // Either the session is over, or somebody settled the call between the look and the write.
            let current = try await stored { () async throws(StoreError) in
                try await self.store.session(work.record.id)
            }
            if current.status != .processing { break }
        }
        try await append(events)
        try await settle(work.submission, end, startedAt: work.startedAt)
        return nil
    }

    /// What a session's end says beside the verdict: by whom, under which certification, and what erasing needs.
    private func complete(
        _ ending: inout SessionEnding, of work: SessionWork, _ judgement: Judgement
    ) throws(Problem) {
        ending.eraseAt = ending.at.advanced(by: work.retention)
        guard case .verdict(_, _, let facts) = judgement else { return }
        ending.certification = certification(of: work, facts)
        if case .verdict(.verified(let verified, _), _, _) = judgement {
            ending.legalMethod = work.challenge.request.purpose.legalMethod(at: ending.at)
            ending.confirmedClaims = verified.claims.withValue { $0.keys.sorted() }
        }
        if work.attempt.role == .fallback { ending.answeredBy = work.attempt.verifier.id }
        ending.providerReference = facts.reference ?? work.challenge.providerReference
        if facts.state != nil || facts.reference != nil {
            ending.eraseTicket = try ticket(of: work.record, adding: work.updated(by: facts))
        }
    }

    /// The certification that a verdict was reached under, with the program and the version that the provider's answer
    /// names: what really verified is what the result must say. One that the declaration does not name is told.
    private func certification(of work: SessionWork, _ facts: ProviderFacts) -> Certification? {
        guard let declared = work.attempt.verifier.certification else { return nil }
        let program = facts.program ?? declared.program
        let version = facts.programVersion ?? declared.version
        guard program != declared.program || version != declared.version else { return declared }
        log(
            .warning, "a provider verified by another program than its certification names", at: clock.now(),
            [(.session, .text(work.record.id.rawValue)), (.verifier, .text(work.attempt.verifier.id.rawValue))])
        return Certification(
            regime: declared.regime, holder: declared.holder, program: program, version: version,
            number: declared.number, validFrom: declared.validFrom, validUntil: declared.validUntil)
    }

    private func seal(_ result: SealedResult, of record: SessionRecord) throws(Problem) -> SealedBytes? {
        // Erased while it was verified: the verdict commits without claims.
        guard let wrapped = record.wrappedKey else { return nil }
        var generator = SystemRandomNumberGenerator()
        do {
            return try SessionSeal(opening: wrapped, of: record.id, keys: keys)
                .seal(result.encoded(), as: .result, using: &generator)
        } catch {
            throw Problem(.internal)
        }
    }

    /// Counts an ended session.
    func count(_ record: SessionRecord) {
        let verifier = (record.answeredBy ?? record.verifier).rawValue
        metrics.count(.sessions, [("verifier", verifier), ("status", record.status.rawValue)])
        pulse.note(record.status, at: clock.now())
        for check in record.report?.failures ?? [] {
            metrics.count(
                .checksFailed,
                [
                    ("verifier", verifier), ("check", check.rawValue),
                    ("reason", record.report?[check].reason?.rawValue ?? ""),
                ])
        }
    }

    /// An incident of a verdict that came when its session was over; one in time is written with the verdict.
    private func late(_ incident: Incident, of record: SessionRecord) -> AuditDraft {
        var draft = auditDraft(.incident, by: AuditDraft.gateway)
        draft.session = record.id
        draft.client = record.client
        draft.subject = record.verifier.rawValue
        draft.outcome = incident.rawValue
        return draft
    }

    private func count(_ incidents: [Incident], of record: SessionRecord) {
        for incident in incidents {
            metrics.count(.incidents, [("incident", incident.rawValue)])
            log(
                .warning, "an incident was counted", at: clock.now(),
                [(.session, .text(record.id.rawValue)), (.incident, .text(incident.rawValue))])
        }
    }
}
