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
        case .opened(let view): return (view, false)
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
        let now = clock.now()
        guard client.purposes.contains(order.purpose), let purpose = running.settings.purposes[order.purpose],
            let first = purpose.documentTypes.first
        else { throw Problem(.purposeNotAllowed) }
        let documentType = order.documentType ?? first
        guard purpose.documentTypes.contains(documentType) else { throw Problem(.documentTypeNotAllowed) }
        let id = SessionID(identifier("ses_"))
        let decision = running.decide(
            RoutingRequest(session: id, purpose: purpose.id, documentType: documentType, client: client.id, at: now))
        guard let opened = decision.verifier.flatMap({ running.verifiers[$0] }) else {
            throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds)
        }

        let challenge = try await challenge(
            id, purpose: purpose, documentType: documentType, by: opened,
            deadline: now.advanced(by: running.settings.processingDeadline))
        var record = SessionRecord(
            id: id, client: client.id, purpose: purpose.id, documentType: documentType,
            verifier: opened.description, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity,
            configurationVersion: running.settings.version, createdAt: now,
            expiresAt: now.advanced(by: running.settings.sessionLifetime))
        record.routing = decision.routing
        record.providerReference = challenge.providerReference
        // A session that never gets a verdict holds the reference no longer than one that does.
        record.eraseAt = record.expiresAt.advanced(by: running.settings.processingDeadline + purpose.retention)
        let reference = order.reference.withValue { $0 }
        record.referenceIndex = reference.map { referenceIndex($0, of: client.id) }
        try seal(
            SealedContext(reference: reference, purpose: purpose, challengeState: challenge.state), into: &record)

        let idempotency = order.idempotency?.record(for: id)
        let session = record
        let outcome = try await stored { () async throws(StoreError) in
            try await self.store.create(session, idempotency: idempotency, ledger: [])
        }
        switch outcome {
        case .existing(let earlier): return .existing(earlier)
        case .created:
            return .opened(
                SessionView(
                    record: record, reference: Sensitive(reference), purpose: purpose, result: Sensitive(nil)))
        }
    }

    private func challenge(
        _ id: SessionID, purpose: Purpose, documentType: String, by opened: OpenedVerifier, deadline: Timestamp
    ) async throws(Problem) -> Challenge {
        var generator = SystemRandomNumberGenerator()
        let request = VerificationRequest(
            session: id, purpose: purpose, documentType: documentType, nonce: Nonce.random(using: &generator))
        let attempt = AttemptContext(
            attempt: AttemptID(identifier("att_")), idempotencyKey: id.rawValue, now: clock.now(), deadline: deadline)
        do throws(VerificationError) {
            return try await opened.verifier.begin(request, in: attempt)
        } catch {
            log(
                .warning, "a verifier could not begin", at: clock.now(),
                [
                    (.verifier, .text(opened.description.id.rawValue)), (.code, .text(error.code.rawValue)),
                    (.site, .text(error.site)),
                ])
            throw Problem(.verifierUnavailable, retryAfter: Self.verifierRetrySeconds)
        }
    }

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
