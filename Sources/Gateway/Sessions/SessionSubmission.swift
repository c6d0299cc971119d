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
        let opened = running.verifiers[session.verifier]
        // What cannot be verified now is refused before the nonce is claimed: nothing is spent.
        var context: SealedContext?
        if session.status == .created, now <= session.expiresAt {
            if let opened, !opened.isReady(at: now) || !running.mayServe(session, at: now) {
                throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds)
            }
            context = self.context(of: session)
            guard context != nil else { throw Problem(.internal) }
        }
        guard inFlight.beginVerification() else { throw Problem(.overloaded, retryAfter: 1) }
        defer { inFlight.endVerification() }

        let deadline = now.advanced(by: running.settings.processingDeadline)
        if let name = submission.idempotency?.name {
            guard inFlight.begin(name) else { throw Problem(.idempotencyInProgress, retryAfter: 1) }
        }
        defer { if let name = submission.idempotency?.name { inFlight.end(name) } }
        let idempotency = submission.idempotency?.record(for: session.id)
        let outcome = try await stored { () async throws(StoreError) in
            try await self.store.claim(
                session.id, at: now, processingDeadline: deadline, idempotency: idempotency, ledger: [])
        }
        switch outcome {
        case .claimed(let claimed):
            let view = try await verify(
                claimed, context, submission.evidence, by: opened, now: now, deadline: deadline)
            return (view, false)
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

    private func verify(
        _ record: SessionRecord, _ context: SealedContext?, _ evidence: Evidence, by opened: OpenedVerifier?,
        now: Timestamp, deadline: Timestamp
    ) async throws(Problem) -> SessionView {
        let attempt = AttemptContext(
            attempt: AttemptID(identifier("att_")), idempotencyKey: record.id.rawValue, now: now, deadline: deadline)
        let judgement = await judge(record, context, evidence, by: opened, in: attempt)
        return try await conclude(
            record, judgement, retention: context?.purpose.retention ?? .zero, attempt: attempt.attempt,
            startedAt: now)
    }

    private func context(of record: SessionRecord) -> SealedContext? {
        guard let wrapped = record.wrappedKey, let sealed = record.sealedContext,
            let seal = try? SessionSeal(opening: wrapped, of: record.id, keys: keys),
            let bytes = try? seal.open(sealed, as: .context), let context = try? SealedContext(decoding: bytes)
        else {
            logUnreadable(record.id)
            return nil
        }
        return context
    }

    /// What a verifier made of the evidence: a conclusion, or why there is none.
    private func judge(
        _ record: SessionRecord, _ context: SealedContext?, _ evidence: Evidence, by opened: OpenedVerifier?,
        in attempt: AttemptContext
    ) async -> Result<Conclusion, FailureReason> {
        // What the session says of its verifier stands in its result: one of another kind or certification must not
        // give the verdict, and least of all a simulator for a session that is not simulated.
        guard let opened, opened.description.kind == record.verifierKind,
            opened.description.isSimulated == record.isSimulated,
            opened.description.certification == record.certification
        else { return .failure(FailureReason(.verifierGone)) }
        guard let context else { return .failure(FailureReason(FailureCode.internal)) }
        let request = VerificationRequest(
            session: record.id, purpose: context.purpose, documentType: record.documentType, nonce: record.nonce)
        let challenge = Challenge(
            request: request, nonce: record.nonce, walletIdentity: record.walletIdentity,
            state: context.challengeState, providerReference: record.providerReference)
        do {
            return .success(try await opened.verifier.conclude(evidence, for: challenge, in: attempt))
        } catch {
            log(
                .warning, "a verifier could not tell", at: clock.now(),
                [
                    (.session, .text(record.id.rawValue)), (.verifier, .text(record.verifier.rawValue)),
                    (.code, .text(error.code.rawValue)), (.site, .text(error.site)),
                ])
            return .failure(FailureReason(error.code))
        }
    }
}

/// Why there is no verdict.
struct FailureReason: Error, Sendable {
    let code: FailureCode

    init(_ code: FailureCode) {
        self.code = code
    }

    init(_ code: VerificationError.Code) {
        switch code {
        case .requestUnsupported, .challengeUnusable: self.code = .verifierGone
        case .providerUnavailable: self.code = .providerUnavailable
        case .providerTimeout: self.code = .providerTimeout
        case .providerProtocolError: self.code = .providerProtocolError
        case .revocationUnavailable: self.code = .revocationUnavailable
        case .cancelled: self.code = .interrupted
        case .internal: self.code = .internal
        }
    }
}
