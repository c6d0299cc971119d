import Routing
import VerificationCore

/// A well-formed submission.
struct Submission: Sendable {
    var evidence: Evidence
    var idempotency: IdempotentRequest?
}

extension SessionService {
    /// Redeems the session's nonce and verifies the evidence, or finds what the same idempotency key came to before.
    func submit(
        _ submission: Submission, to session: SessionRecord
    ) async throws(Problem) -> (view: SessionView, replayed: Bool) {
        if let idempotency = submission.idempotency {
            if let earlier = try await earlier(idempotency) {
                let view = try await replay(earlier, of: idempotency, isFirstOver: !inFlight.holds(idempotency.name))
                return (view, true)
            }
        }
        let now = clock.now()
        let running = current
        let opened = running.verifiers[session.verifier].flatMap { fits($0, session) ? $0 : nil }
        // What cannot be verified now is refused before the nonce is claimed: nothing is spent.
        var context: SealedContext?
        var permit: CircuitPermit?
        if session.status == .created, now <= session.expiresAt {
            context = self.context(of: session)
            guard context != nil || session.erasedAt != nil else { throw Problem(.internal) }
            if let opened { permit = try admit(session, context, to: opened, at: now) }
        }
        guard inFlight.beginVerification() else { throw Problem(.overloaded, retryAfter: 1) }
        defer { inFlight.endVerification() }

        if let name = submission.idempotency?.name {
            guard inFlight.begin(name) else { throw Problem(.idempotencyInProgress, retryAfter: 1) }
        }
        defer { if let name = submission.idempotency?.name { inFlight.end(name) } }
        switch try await claim(session, context, for: opened, submission, at: now) {
        case .claimed(let record):
            var work = work(on: record, context, by: opened?.description ?? VerifierDescription(gone: record))
            work.startedAt = now
            work.isOwnCall = true
            return (try await verify(work, submission.evidence, by: opened, permit: permit), false)
        case .alreadySubmitted(_, by: let earlier):
            guard let earlier, let idempotency = submission.idempotency else { throw Problem(.sessionAlreadySubmitted) }
            // This call holds the key, so the first one is over.
            return (try await replay(earlier, of: idempotency, isFirstOver: true), true)
        case .expired:
            waiters.wake(session.id)
            throw Problem(.sessionExpired)
        case .cancelled: throw Problem(.sessionCancelled)
        }
    }

    /// Claims the session. That its evidence leaves this machine is written in the same transaction.
    private func claim(
        _ session: SessionRecord, _ context: SealedContext?, for opened: OpenedVerifier?, _ submission: Submission,
        at now: Timestamp
    ) async throws(Problem) -> ClaimOutcome {
        let deadline = now.advanced(by: current.settings.processingDeadline)
        let idempotency = submission.idempotency?.record(for: session.id)
        var events: [LedgerDraft] = []
        if let opened {
            let call = work(on: session, context, by: opened.description).submission
            if call.isWrittenBefore { events.append(call.started(at: now)) }
        }
        let started = events
        do throws(StoreError) {
            return try await store.claim(
                session.id, at: now, processingDeadline: deadline, idempotency: idempotency, ledger: started)
        } catch {
            throw problem(error)
        }
    }

    /// Takes a place at the pinned verifier, or says when to come again.
    private func admit(
        _ session: SessionRecord, _ context: SealedContext?, to opened: OpenedVerifier, at now: Timestamp
    ) throws(Problem) -> CircuitPermit {
        guard opened.isReady(at: now), isCertified(opened, for: session, regimes: context?.purpose.regimes, at: now)
        else { throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds) }
        do throws(CircuitRefusal) {
            return try current.circuits.acquire(opened.description.id, at: clock.monotonic())
        } catch {
            throw Problem(.verifierUnavailable, retryAfter: Self.seconds(error.retryAfter))
        }
    }

    /// What the session says of its verifier stands in its result: one of another kind must not give the verdict, and
    /// least of all a simulator for a session that is not simulated, or one without a certification for a session that
    /// was promised one. A certification that was renewed is the one that the result names.
    func fits(_ opened: OpenedVerifier, _ session: SessionRecord) -> Bool {
        opened.description.kind == session.verifierKind && opened.description.isSimulated == session.isSimulated
            && (session.certification == nil || opened.description.certification != nil)
    }

    /// Whether a verifier is certified as the session demands: by the running configuration, and by the purpose as it
    /// was when the session was created.
    func isCertified(
        _ opened: OpenedVerifier, for session: SessionRecord, regimes: Set<String>?, at now: Timestamp
    ) -> Bool {
        guard current.mayServe(opened.description.id, session, at: now) else { return false }
        guard let regimes else { return true }
        return opened.description.certification.map { regimes.contains($0.regime) && $0.isCurrent(at: now) } ?? false
    }

    /// Whole seconds, at least one: `Retry-After` knows no less.
    static func seconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }

    private func replay(
        _ earlier: IdempotencyRecord, of request: IdempotentRequest, isFirstOver: Bool
    ) async throws(Problem) -> SessionView {
        guard request.hasBody(of: earlier) else { throw Problem(.idempotencyKeyReused) }
        guard isFirstOver else { throw Problem(.idempotencyInProgress, retryAfter: 1) }
        let record = try await stored { () async throws(StoreError) in
            try await self.store.session(earlier.session)
        }
        return try view(record)
    }
}

extension VerifierDescription {
    /// What a session says of a verifier that is not there any more.
    init(gone record: SessionRecord) {
        self.init(
            id: record.verifier, kind: record.verifierKind, isSimulated: record.isSimulated,
            certification: record.certification, documentTypes: [record.documentType])
    }
}
