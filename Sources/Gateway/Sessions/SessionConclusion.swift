import VerificationCore

extension SessionService {
    /// Writes a verdict, its claims under the session's seal and its ledger pair in one transaction, then says it.
    ///
    /// A verdict that the store did not take is not told to anybody: the caller gets an error, and the session fails
    /// at its processing deadline. A verdict that comes later leaves the session as it is.
    func conclude(
        _ record: SessionRecord, _ judgement: Result<Conclusion, FailureReason>, retention: Duration,
        attempt: AttemptID, startedAt: Timestamp
    ) async throws(Problem) -> SessionView {
        let now = clock.now()
        var ending: SessionEnding
        var result: SealedResult?
        let outcome: AttemptOutcome
        let billable: BillableClass
        switch judgement {
        case .success(.verdict(.verified(let verified, let report), let incidents, _)):
            ending = SessionEnding(kind: .verified, at: now, report: report)
            ending.incidents = incidents
            result = SealedResult(
                claims: verified.claims.withValue { $0 }, document: verified.document.withValue { $0 })
            (outcome, billable) = (.verified, .completedPass)
        case .success(.verdict(.rejected(let report, let document), let incidents, _)):
            ending = SessionEnding(kind: .rejected, at: now, report: report)
            ending.incidents = incidents
            result = SealedResult(claims: nil, document: document?.withValue { $0 })
            (outcome, billable) = (.rejected, .completedFail)
        case .success(.pending):
            return try view(record)
        case .failure(let reason):
            ending = SessionEnding(kind: .failed(reason.code), at: now)
            (outcome, billable) = (.failed, .nonBillable)
        }
        ending.eraseAt = now.advanced(by: retention)
        // Kept for no time at all, the result is in this one answer only: what is not written need not be destroyed.
        let isKept = retention > .zero
        if isKept, let result { ending.sealedResult = try seal(result, of: record) }

        var started = LedgerDraft(
            kind: .started, attempt: attempt, role: .primary, session: record.id, verifier: record.verifier,
            client: record.client, purpose: record.purpose, at: startedAt, billableClass: billable,
            configurationVersion: record.configurationVersion)
        started.certification = record.certification?.number
        var ended = started
        ended.kind = .ended
        ended.at = now
        ended.outcome = outcome
        let (final, drafts) = (ending, [started, ended])
        let concluded: SessionRecord
        do throws(StoreError) {
            concluded = try await store.conclude(record.id, with: final, ledger: drafts)
        } catch {
            guard error == .conflict else { throw problem(error) }
            // The processing deadline passed meanwhile: what ended first stays, whatever this verdict was. That it came
            // is an event of the ledger, never a status; an incident is one whenever it happens.
            count(final.incidents, of: record)
            try await stored { () async throws(StoreError) in try await self.store.append(drafts) }
            return try view(try await stored { () async throws(StoreError) in try await self.store.session(record.id) })
        }
        count(concluded)
        count(final.incidents, of: record)
        waiters.wake(record.id)
        let kept = try view(concluded)
        guard !isKept, concluded.erasedAt == nil else { return kept }
        return SessionView(
            record: concluded, reference: kept.reference, purpose: kept.purpose, result: Sensitive(result))
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
        metrics.count(
            .sessions, [("verifier", record.verifier.rawValue), ("status", record.status.rawValue)])
        for check in record.report?.failures ?? [] {
            metrics.count(
                .checksFailed,
                [
                    ("verifier", record.verifier.rawValue), ("check", check.rawValue),
                    ("reason", record.report?[check].reason?.rawValue ?? ""),
                ])
        }
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
