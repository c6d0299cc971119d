import VerificationCore

/// A session in `processing` on which somebody works: what its seal gave up, and the use of a verifier whose
/// submission is to be settled.
struct SessionWork: Sendable {
    var record: SessionRecord
    /// `nil` once the session was erased.
    var context: SealedContext?
    var attempt: Attempt
    var challenge: Challenge
    var startedAt: Timestamp
    /// Whether the submission is being made here and now.
    var isOwnCall = false

    /// The call that handed the evidence over.
    var submission: ProviderCall { attempt.call(.submit) }

    /// How long the claims are kept; an erased session keeps none.
    var retention: Duration { context?.purpose.retention ?? .zero }
}

extension SessionService {
    /// The work on a session with its pinned verifier. `nil` for one whose sealed context cannot be read.
    func work(on record: SessionRecord, _ context: SealedContext?, by verifier: VerifierDescription) -> SessionWork {
        let purpose = context?.purpose ?? forgotten(record.purpose, documentType: record.documentType)
        let fallback = context?.fallback
        let request = VerificationRequest(
            session: record.id, purpose: purpose, documentType: record.documentType, nonce: record.nonce)
        let reference = fallback == nil ? record.providerReference : fallback?.providerReference
        var attempt = Attempt(
            id: fallback?.attempt ?? record.attempt ?? AttemptID(identifier("att_")),
            role: fallback == nil ? .primary : .fallback, verifier: verifier, of: record)
        attempt.providerReference = reference
        return SessionWork(
            record: record, context: context, attempt: attempt,
            challenge: Challenge(
                request: request, nonce: record.nonce, walletIdentity: record.walletIdentity,
                state: fallback?.state ?? context?.challengeState ?? Sensitive([]), providerReference: reference),
            startedAt: record.claimedAt ?? record.createdAt)
    }

    /// The verifier that a waiting session waits for.
    func awaitedVerifier(of record: SessionRecord, _ context: SealedContext?) -> VerifierID {
        context?.fallback?.verifier ?? record.verifier
    }

    /// The sealed context of a session, or `nil` where it was erased or cannot be opened.
    func context(of record: SessionRecord) -> SealedContext? {
        guard record.erasedAt == nil else { return nil }
        guard let wrapped = record.wrappedKey, let sealed = record.sealedContext,
            let seal = try? SessionSeal(opening: wrapped, of: record.id, keys: keys),
            let bytes = try? seal.open(sealed, as: .context), let context = try? SealedContext(decoding: bytes)
        else {
            logUnreadable(record.id)
            return nil
        }
        return context
    }

    /// Seals a context again under the session's own key; `nil` once that is gone.
    func seal(_ context: SealedContext, of record: SessionRecord) throws(Problem) -> SealedBytes? {
        guard let wrapped = record.wrappedKey else { return nil }
        var generator = SystemRandomNumberGenerator()
        do {
            return try SessionSeal(opening: wrapped, of: record.id, keys: keys)
                .seal(context.encoded(), as: .context, using: &generator)
        } catch {
            throw Problem(.internal)
        }
    }

    /// The sealed ticket by which what providers were given of a session is erased; `nil` where none of them erases.
    func ticket(_ targets: [EraseTicket.Target], of session: SessionID) throws(Problem) -> SealedBytes? {
        guard !targets.isEmpty else { return nil }
        var generator = SystemRandomNumberGenerator()
        do {
            return try EraseTicket(targets).sealed(of: session, keys: keys, using: &generator)
        } catch {
            throw Problem(.internal)
        }
    }

    /// The ticket of a session with one more target, or with newer facts about one that it has.
    func ticket(of record: SessionRecord, adding work: SessionWork) throws(Problem) -> SealedBytes? {
        guard work.attempt.verifier.steps.contains(.erase) else { return nil }
        var targets: [EraseTicket.Target] = []
        if let sealed = record.eraseTicket {
            targets = (try? EraseTicket(opening: sealed, of: record.id, keys: keys))?.targets ?? []
        }
        targets.removeAll { $0.attempt == work.attempt.id }
        targets.append(
            EraseTicket.Target(
                verifier: work.attempt.verifier.id, attempt: work.attempt.id, challenge: work.challenge))
        return try ticket(targets, of: record.id)
    }

    /// The purpose of a session that was erased meanwhile: as it is configured today, since what it requires decides the
    /// verdict. One that is gone lets nothing through.
    private func forgotten(_ id: PurposeID, documentType: String) -> Purpose {
        if let purpose = current.settings.purposes[id], purpose.documentTypes.contains(documentType) { return purpose }
        return Purpose(
            id: id, documentTypes: [documentType], claims: [], requiredClaims: [], retention: .zero,
            relyingPartyRetention: .none)
    }
}

extension SessionWork {
    /// The work on an erased session, of which the ledger alone tells what its last attempt was. The reference that is kept
    /// with the session is the pinned verifier's, and says nothing to another.
    func speaking(of submitted: LedgerDraft) -> SessionWork {
        var work = self
        work.attempt = Attempt(
            id: submitted.attempt, role: submitted.role, verifier: attempt.verifier, of: record)
        work.attempt.providerReference = attempt.providerReference
        guard submitted.role == .fallback else { return work }
        work.attempt.providerReference = nil
        work.challenge = Challenge(
            request: challenge.request, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity,
            state: challenge.state, providerReference: nil)
        return work
    }

    /// The work with what a provider said beside its answer.
    func updated(by facts: ProviderFacts) -> SessionWork {
        var work = self
        work.challenge = Challenge(
            request: challenge.request, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity,
            state: facts.state ?? challenge.state, providerReference: facts.reference ?? challenge.providerReference)
        work.attempt.providerReference = work.challenge.providerReference
        guard var context = work.context else { return work }
        if context.fallback != nil {
            context.fallback?.state = work.challenge.state
            context.fallback?.providerReference = work.challenge.providerReference
        } else {
            context.challengeState = work.challenge.state
        }
        work.context = context
        return work
    }
}
