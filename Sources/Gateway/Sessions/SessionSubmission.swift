import VerificationCore

/// A well-formed submission.
struct Submission: Sendable {
    var evidence: Evidence
    var idempotency: (key: IdempotencyKey, bodyHash: [UInt8])?
}

extension SessionService {
    /// Redeems the session's nonce and verifies the evidence, or finds what the same idempotency key came to before.
    func submit(
        _ submission: Submission, to session: SessionRecord
    ) async throws(Problem) -> (view: SessionView, replayed: Bool) {
        if let (key, bodyHash) = submission.idempotency {
            let earlier = try await stored { () async throws(StoreError) in try await self.store.idempotency(key) }
            if let earlier { return (try await replay(earlier, bodyHash: bodyHash), true) }
        }
        let now = clock.now()
        let running = current
        let opened = running.verifiers[session.verifier]
        // What cannot be verified now is refused before the nonce is claimed: nothing is spent.
        if session.status == .created, let opened, !opened.isReady(at: now) {
            throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds)
        }
        guard inFlight.beginVerification() else { throw Problem(.overloaded, retryAfter: 1) }
        defer { inFlight.endVerification() }

        let deadline = now.advanced(by: running.settings.processingDeadline)
        let idempotency = submission.idempotency.map {
            IdempotencyRecord(key: $0.key, bodyHash: $0.bodyHash, session: session.id)
        }
        let outcome = try await stored { () async throws(StoreError) in
            try await self.store.claim(
                session.id, at: now, processingDeadline: deadline, idempotency: idempotency, ledger: [])
        }
        switch outcome {
        case .claimed(let claimed):
            return (try await verify(claimed, submission.evidence, by: opened, now: now, deadline: deadline), false)
        case .alreadySubmitted(_, by: let earlier):
            guard let earlier, let (key, bodyHash) = submission.idempotency, earlier.key == key else {
                throw Problem(.sessionAlreadySubmitted)
            }
            return (try await replay(earlier, bodyHash: bodyHash), true)
        case .expired: throw Problem(.sessionExpired)
        case .cancelled: throw Problem(.sessionCancelled)
        }
    }

    private func replay(_ earlier: IdempotencyRecord, bodyHash: [UInt8]) async throws(Problem) -> SessionView {
        guard earlier.bodyHash == bodyHash else { throw Problem(.idempotencyKeyReused) }
        let record = try await stored { () async throws(StoreError) in
            try await self.store.session(earlier.session)
        }
        guard record.status.isFinal else { throw Problem(.idempotencyInProgress, retryAfter: 1) }
        return try view(record)
    }

    private func verify(
        _ record: SessionRecord, _ evidence: Evidence, by opened: OpenedVerifier?, now: Timestamp, deadline: Timestamp
    ) async throws(Problem) -> SessionView {
        let attempt = AttemptContext(
            attempt: AttemptID(identifier("att_")), idempotencyKey: record.id.rawValue, now: now, deadline: deadline)
        let judgement = await judge(record, evidence, by: opened, in: attempt)
        return try await conclude(record, judgement, attempt: attempt.attempt, startedAt: now)
    }

    /// What a verifier made of the evidence: a conclusion, or why there is none.
    private func judge(
        _ record: SessionRecord, _ evidence: Evidence, by opened: OpenedVerifier?, in attempt: AttemptContext
    ) async -> Result<Conclusion, FailureReason> {
        // A verifier of another kind or under another wallet identity cannot open what this session asked for.
        guard let opened, opened.description.kind == record.verifierKind else {
            return .failure(FailureReason(.verifierGone))
        }
        guard let wrapped = record.wrappedKey, let sealed = record.sealedContext,
            let seal = try? SessionSeal(opening: wrapped, of: record.id, keys: keys),
            let bytes = try? seal.open(sealed, as: .context), let context = try? SealedContext(decoding: bytes)
        else { return .failure(FailureReason(FailureCode.internal)) }
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
