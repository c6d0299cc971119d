import Routing
import VerificationCore

/// What an app asks for when it opens a session.
struct SessionOrder: Sendable {
    var purpose: PurposeID
    var documentType: String?
    var reference: Sensitive<String?>
    var idempotency: IdempotentRequest?
}

extension SessionService {
    /// Opens a session, or finds the one that the same idempotency key opened before.
    func create(_ order: SessionOrder, for client: Client) async throws(Problem) -> (view: SessionView, replayed: Bool)
    {
        guard let idempotency = order.idempotency else { return try await outcome(of: order, for: client) }
        guard inFlight.begin(idempotency.name) else { throw Problem(.idempotencyInProgress, retryAfter: 1) }
        defer { inFlight.end(idempotency.name) }
        if let earlier = try await earlier(idempotency) {
            return (try await replay(earlier, of: order, for: client), true)
        }
        return try await outcome(of: order, for: client)
    }

    private func outcome(
        of order: SessionOrder, for client: Client
    ) async throws(Problem) -> (view: SessionView, replayed: Bool) {
        switch try await open(order, for: client) {
        case .opened(let view):
            pulse.note(.created, at: clock.now())
            return (view, false)
        case .existing(let earlier):
            return (try await replay(earlier, of: order, for: client), true)
        }
    }

    private func replay(
        _ earlier: IdempotencyRecord, of order: SessionOrder, for client: Client
    ) async throws(Problem) -> SessionView {
        guard order.idempotency?.hasBody(of: earlier) == true else { throw Problem(.idempotencyKeyReused) }
        return try view(try await ownSession(earlier.session, of: client))
    }

    private func open(_ order: SessionOrder, for client: Client) async throws(Problem) -> Opening {
        let running = current
        guard client.purposes.contains(order.purpose), let purpose = running.settings.purposes[order.purpose],
            let first = purpose.documentTypes.first
        else { throw Problem(.purposeNotAllowed) }
        let documentType = order.documentType ?? first
        guard purpose.documentTypes.contains(documentType) else { throw Problem(.documentTypeNotAllowed) }

        try await refreshBudgets()
        let id = SessionID(identifier("ses_"))
        // Verifiers that could not begin are passed over, each once, until one does or none is left.
        var failed: Set<VerifierID> = []
        while true {
            let now = clock.now()
            let request = RoutingRequest(
                session: id, purpose: purpose.id, documentType: documentType, client: client.id, at: now)
            let decision = running.decide(request, monotonic: clock.monotonic(), failed: failed) {
                running.verifiers[$0].map { budgets.isSpent($0.description, for: client.id, at: now) } ?? false
            }
            guard let picked = decision.verifier, let opened = running.verifiers[picked] else {
                throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds)
            }
            var record = SessionRecord(
                id: id, client: client.id, purpose: purpose.id, documentType: documentType,
                verifier: opened.description, nonce: drawn(), walletIdentity: Self.noIdentity,
                configurationVersion: running.settings.version, createdAt: now,
                expiresAt: now.advanced(by: running.settings.sessionLifetime))
            record.routing = decision.routing
            record.notifies = client.notifies
            let attempt = Attempt(
                id: AttemptID(identifier("att_")), role: .primary, verifier: opened.description, of: record)
            // The last place may have gone to another session since the decision: then it is made again.
            guard budgets.reserve(attempt, until: record.expiresAt, at: now) else { continue }
            var isOpened = false
            defer { if !isOpened { budgets.release(attempt.id) } }
            let opening = try await open(record, order, attempt, purpose: purpose, at: opened, in: running)
            if case .opened = opening { isOpened = true }
            if let opening { return opening }
            failed.insert(picked)
        }
    }

    /// Opens the session at a verifier. `nil` where that one could not begin, and nothing stands in the way of another.
    private func open(
        _ draft: SessionRecord, _ order: SessionOrder, _ attempt: Attempt, purpose: Purpose, at opened: OpenedVerifier,
        in running: Running
    ) async throws(Problem) -> Opening? {
        var record = draft
        let request = VerificationRequest(
            session: record.id, purpose: purpose, documentType: record.documentType, nonce: record.nonce)
        let challenge: Challenge
        let events: [LedgerDraft]
        switch try await begin(
            request, in: attempt, by: opened,
            deadline: record.createdAt.advanced(by: running.settings.processingDeadline))
        {
        case .open(let opened, let begun): (challenge, events) = (opened, begun)
        case .failed: return nil
        // What may have been billed is not begun again elsewhere.
        case .lost: throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds)
        }
        record.attempt = attempt.id
        record.nonce = challenge.nonce
        record.walletIdentity = challenge.walletIdentity
        record.providerReference = challenge.providerReference
        // A session that never gets a verdict holds the reference no longer than one that does.
        record.eraseAt = record.expiresAt.advanced(by: running.settings.processingDeadline + purpose.retention)
        let reference = order.reference.withValue { $0 }
        record.referenceIndex = reference.map { referenceIndex($0, of: record.client) }
        if opened.description.steps.contains(.erase) {
            record.eraseTicket = try ticket(
                [EraseTicket.Target(verifier: attempt.verifier.id, attempt: attempt.id, challenge: challenge)],
                of: record.id)
        }
        try seal(
            SealedContext(reference: reference, purpose: purpose, challengeState: challenge.state), into: &record)

        let idempotency = order.idempotency?.record(for: record.id)
        let session = record
        let outcome: CreateOutcome
        do throws(StoreError) {
            outcome = try await store.create(session, idempotency: idempotency, ledger: events)
        } catch {
            // What was begun was begun, whether or not a session came of it.
            try await append(events)
            guard error == .alreadyExists, opened.description.nonceOrigin == .provider else { throw problem(error) }
            log(
                .error, "a provider's nonce was used before", at: clock.now(),
                [(.verifier, .text(opened.description.id.rawValue)), (.session, .text(record.id.rawValue))])
            return nil
        }
        switch outcome {
        case .existing(let earlier):
            try await append(events)
            return .existing(earlier)
        case .created:
            running.circuits.admit(record.verifier, at: clock.monotonic())
            return .opened(
                SessionView(
                    record: record, reference: Sensitive(reference), purpose: purpose, result: Sensitive(nil)))
        }
    }

    private func drawn() -> Nonce {
        var generator = SystemRandomNumberGenerator()
        return Nonce.random(using: &generator)
    }

    /// Until the verifier says with whose identity the wallet is to be asked.
    private static let noIdentity = WalletIdentity(merchantIdentifier: "", teamIdentifier: "")

    private func seal(_ context: SealedContext, into record: inout SessionRecord) throws(Problem) {
        var generator = SystemRandomNumberGenerator()
        do {
            let seal = try SessionSeal(for: record.id, keys: keys, using: &generator)
            record.wrappedKey = seal.wrapped
            record.sealedContext = try seal.seal(context.encoded(), as: .context, using: &generator)
        } catch {
            throw Problem(.internal)
        }
    }

    /// When an app should ask again for a verifier, in seconds: long enough for a reload.
    static let verifierRetrySeconds = 5
}

/// What came of opening a session.
private enum Opening {
    case opened(SessionView)
    /// Another process used the idempotency key between our look and our write.
    case existing(IdempotencyRecord)
}
