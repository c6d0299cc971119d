import HTTPClient
import JSONTree
public import VerificationCore

/// A verifier of the kind `certified`: a provider verifies, reached as its manifest says. It keeps no state; what a session
/// needs again is in ``Challenge/state``.
public struct CertifiedVerifier: Sendable {
    /// What the gateway may know of it.
    public let description: VerifierDescription
    let configuration: CertifiedConfiguration
    let access: ProviderAccess
    let authenticator: any RequestAuthenticator
    let receiver: (any NotificationReceiver)?
    let pacing: any Pacing
    private let count = WireCount()

    init(
        _ configuration: CertifiedConfiguration, access: ProviderAccess, authenticator: any RequestAuthenticator,
        receiver: (any NotificationReceiver)?, pacing: any Pacing = SystemPacing()
    ) {
        self.configuration = configuration
        self.access = access
        self.authenticator = authenticator
        self.receiver = receiver
        self.pacing = pacing
        let manifest = configuration.manifest
        description = VerifierDescription(
            id: configuration.id, kind: CertifiedProvider.kind, isSimulated: configuration.isSimulated,
            certification: configuration.certification, documentTypes: configuration.documentTypes,
            claims: manifest.claims(of: configuration.documentTypes),
            walletKeys: configuration.walletKeys, nonceOrigin: manifest.nonce.origin,
            steps: Set(manifest.steps.keys), isNotified: manifest.webhooks != nil, billing: configuration.billing)
    }

    /// How many requests went out since it was opened, by step, repeats included.
    public var wireRequests: [VerificationStep: Int] { count.current }

    private var manifest: Manifest { configuration.manifest }

    private func values(
        _ request: VerificationRequest, in attempt: AttemptContext, nonce: Nonce?, identity: WalletIdentity?,
        memory: SessionMemory, evidence: Evidence? = nil
    ) -> TemplateValues {
        let vocabulary = manifest.vocabulary
        let asked = request.purpose.claims.sorted().compactMap {
            vocabulary.claims.isEmpty ? $0.rawValue : vocabulary.claims[$0]
        }
        return TemplateValues(
            access: access, attempt: attempt, request: request, document: vocabulary.documents[request.documentType],
            claims: asked, nonce: nonce, identity: identity, evidence: evidence, reference: memory.reference,
            kept: memory.kept)
    }

    private func call(
        _ step: VerificationStep, _ values: TemplateValues
    ) async throws(VerificationError) -> StepCall.Result {
        guard let declaration = manifest.steps[step] else {
            throw VerificationError(.requestUnsupported, "the manifest has no such step")
        }
        guard values.attempt.now <= values.attempt.deadline else {
            throw VerificationError(.cancelled, "nobody waits for the call any more")
        }
        return try await StepCall(
            step: declaration, manifest: manifest, values: values, authenticator: authenticator, pacing: pacing,
            count: count, billing: configuration.billing.rules[step]
        ).run()
    }

    private func reader(_ result: StepCall.Result, _ step: VerificationStep, _ values: TemplateValues) -> AnswerReader?
    {
        guard let tree = result.answer.tree, let declaration = manifest.steps[step] else { return nil }
        return AnswerReader(
            declaration: declaration.answer, outcome: result.outcome, values: values, tree: tree,
            vocabulary: manifest.vocabulary, now: result.at)
    }

    /// What is remembered of a session. One that was erased has lost it with its key: what can be asked by its reference,
    /// or by names of ours, can be asked all the same.
    private func memory(
        of challenge: Challenge, mayBeForgotten: Bool = false
    ) throws(VerificationError) -> SessionMemory {
        let isForgotten = mayBeForgotten && challenge.state.withValue(\.isEmpty)
        let known = isForgotten ? SessionMemory(nonceForm: manifest.nonce.form) : SessionMemory(challenge.state)
        guard var memory = known, memory.nonceForm == manifest.nonce.form else {
            throw VerificationError(.challengeUnusable, "the session was begun by another verifier or manifest")
        }
        if let reference = challenge.providerReference {
            if let known = memory.reference, known != reference {
                throw VerificationError(.challengeUnusable, "the session has two references")
            }
            memory.reference = reference
        }
        return memory
    }

    /// An error of reading, with whether the call that brought the answer may have been billed.
    private func error(
        _ unreadable: UnreadableAnswer, _ step: VerificationStep, _ status: Int?
    ) -> VerificationError {
        VerificationError(
            .providerProtocolError, unreadable.diagnostic, mayHaveBilled: configuration.billing.rules[step] != nil,
            answerStatus: status, place: unreadable.place, file: unreadable.file, line: unreadable.line)
    }
}

extension CertifiedVerifier: Verifier {
    /// Opens the verification at the provider where its manifest has a step for that.
    public func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge {
        guard description.documentTypes.contains(request.documentType) else {
            throw VerificationError(.requestUnsupported, "the provider does not verify the document type")
        }
        guard request.purpose.documentTypes.contains(request.documentType) else {
            throw VerificationError(.requestUnsupported, "the purpose does not allow the document type")
        }
        var memory = SessionMemory(nonceForm: manifest.nonce.form)
        let ours = manifest.nonce.origin == .gateway ? try travelling(request.nonce) : nil
        guard manifest.steps[.begin] != nil else {
            guard let ours, let identity = configuration.identity else {
                throw VerificationError(.internal, "a manifest without begin has no nonce or identity")
            }
            return Challenge(request: request, nonce: ours, walletIdentity: identity, state: memory.encoded())
        }
        let values = values(request, in: attempt, nonce: ours, identity: configuration.identity, memory: memory)
        let result = try await call(.begin, values)
        guard let reader = reader(result, .begin, values) else {
            throw VerificationError(.internal, "an answer was taken that cannot be read")
        }
        do throws(UnreadableAnswer) {
            memory = try reader.memory(memory, requiresKept: true)
            let nonce = if let ours { ours } else { try theirs(reader) }
            return Challenge(
                request: request, nonce: nonce, walletIdentity: try identity(reader), state: memory.encoded(),
                providerReference: memory.reference)
        } catch {
            throw self.error(error, .begin, result.answer.status)
        }
    }

    /// The gateway's nonce as it goes into the transcript.
    private func travelling(_ nonce: Nonce) throws(VerificationError) -> Nonce {
        guard let nonce = NonceText.travelling(nonce, as: manifest.nonce.form),
            manifest.nonce.lengths.contains(nonce.bytes.count)
        else { throw VerificationError(.requestUnsupported, "the nonce has a length that the provider does not take") }
        return nonce
    }

    /// The provider's nonce: of its form, and no shorter or longer than declared.
    private func theirs(_ reader: AnswerReader) throws(UnreadableAnswer) -> Nonce {
        guard let pointer = reader.declaration.nonce,
            let text = try AnswerValues.identifier(pointer, in: reader.tree),
            let bytes = NonceText.bytes(text, as: manifest.nonce.form), manifest.nonce.lengths.contains(bytes.count),
            let nonce = Nonce(bytes)
        else {
            throw UnreadableAnswer(
                "the provider's nonce is missing, or not as declared", at: reader.declaration.nonce?.text)
        }
        return nonce
    }

    private func identity(_ reader: AnswerReader) throws(UnreadableAnswer) -> WalletIdentity {
        switch manifest.wallet {
        case .configured:
            guard let identity = configuration.identity else { throw UnreadableAnswer("no wallet identity is known") }
            return identity
        case .answered(let merchantPointer, let teamPointer):
            var team = configuration.teamIdentifier
            if let teamPointer { team = try AnswerValues.identifier(teamPointer, in: reader.tree) }
            guard let merchant = try AnswerValues.identifier(merchantPointer, in: reader.tree), let team else {
                throw UnreadableAnswer(
                    "the answer does not say what the wallet is asked with", at: merchantPointer.text)
            }
            return WalletIdentity(merchantIdentifier: merchant, teamIdentifier: team)
        }
    }

    /// Hands the wallet's answer over.
    public func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        try await conclusion(.submit, challenge, in: attempt, evidence: evidence).conclusion
    }

    /// What a step came to; the outcome is given back too, for those that only some steps have.
    private func conclusion(
        _ step: VerificationStep, _ challenge: Challenge, in attempt: AttemptContext, evidence: Evidence? = nil
    ) async throws(VerificationError) -> (conclusion: Conclusion, isNeverReceived: Bool) {
        let memory = try memory(of: challenge, mayBeForgotten: step != .submit)
        let values = values(
            challenge.request, in: attempt, nonce: challenge.nonce, identity: challenge.walletIdentity, memory: memory,
            evidence: evidence)
        let result = try await call(step, values)
        if case .neverReceived = result.outcome.meaning { return (.pending(Pending()), true) }
        guard let reader = reader(result, step, values) else {
            // Only an outcome that ignores the body comes here: it is pending, and nothing new is known.
            return (.pending(Pending(retryAfter: result.retryAfter)), false)
        }
        do throws(UnreadableAnswer) {
            let requiresKept = step == .submit
            return (
                try CertifiedVerifier.conclusion(
                    reader, memory, retryAfter: result.retryAfter, requiresKept: requiresKept), false
            )
        } catch {
            throw self.error(error, step, result.answer.status)
        }
    }

    private static func conclusion(
        _ reader: AnswerReader, _ known: SessionMemory, retryAfter: Duration?, requiresKept: Bool
    ) throws(UnreadableAnswer) -> Conclusion {
        func pending() throws(UnreadableAnswer) -> Conclusion {
            if reader.outcome.ignoresBody { return .pending(Pending(retryAfter: retryAfter)) }
            let memory = try reader.memory(known, requiresKept: requiresKept)
            return .pending(Pending(retryAfter: retryAfter, provider: try reader.facts(memory, since: known)))
        }
        switch reader.outcome.meaning {
        case .verified:
            guard reader.isFinal else { return try pending() }
            let memory = try reader.memory(known, requiresKept: false)
            let (verdict, incidents) = try reader.verified()
            return .verdict(verdict, incidents: incidents, provider: try reader.facts(memory, since: known))
        case .rejected(let reasons):
            guard reader.isFinal else { return try pending() }
            let memory = try reader.memory(known, requiresKept: false)
            return .verdict(
                try reader.rejected(reasons), incidents: [], provider: try reader.facts(memory, since: known))
        case .pending: return try pending()
        case .opened, .tryAgain, .unavailable, .error, .neverReceived, .erased:
            throw UnreadableAnswer("an outcome belongs to another step")
        }
    }
}

extension CertifiedVerifier: PollingVerifier, FetchingVerifier, ErasingVerifier {
    /// Asks for the verdict.
    public func poll(
        _ challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        try await conclusion(.poll, challenge, in: attempt).conclusion
    }

    /// Asks what became of a submission whose answer was lost.
    public func fetch(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) -> Fetched {
        let (conclusion, isNeverReceived) = try await conclusion(.fetch, challenge, in: attempt)
        return isNeverReceived ? .neverReceived : .conclusion(conclusion)
    }

    /// Has the provider erase what it keeps. A session that it never heard of has nothing to erase.
    public func erase(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) {
        let memory = try memory(of: challenge, mayBeForgotten: true)
        let values = values(
            challenge.request, in: attempt, nonce: challenge.nonce, identity: challenge.walletIdentity, memory: memory)
        _ = try await call(.erase, values)
    }
}

extension CertifiedVerifier: NotifiedVerifier {
    /// Authenticates a notification.
    public func receive(_ notification: Notification, at now: Timestamp) throws(NotificationError) -> Notice {
        guard let receiver else { throw .notConfigured }
        return try receiver.receive(notification, at: now)
    }

    /// What an authentic notice concludes.
    public func conclude(
        _ notice: Notice, for challenge: Challenge, in attempt: AttemptContext
    ) throws(VerificationError) -> Conclusion? {
        guard let result = manifest.webhooks?.result else { return nil }
        let memory = try memory(of: challenge, mayBeForgotten: true)
        guard memory.reference == notice.providerReference else {
            throw VerificationError(.providerProtocolError, "the notice is about another verification")
        }
        let answer = ProviderAnswer(notification: notice.body)
        guard let tree = answer.tree, let outcome = answer.outcome(among: result.outcomes) else {
            throw VerificationError(.providerProtocolError, "the notice says something that its manifest does not name")
        }
        let values = values(
            challenge.request, in: attempt, nonce: challenge.nonce, identity: challenge.walletIdentity, memory: memory)
        let reader = AnswerReader(
            declaration: result.answer, outcome: outcome, values: values, tree: tree, vocabulary: manifest.vocabulary,
            now: attempt.now)
        do throws(UnreadableAnswer) {
            let pause = AnswerValues.pause(result.answer.retryAfter, in: tree, at: attempt.now)
            return try CertifiedVerifier.conclusion(reader, memory, retryAfter: pause, requiresKept: false)
        } catch {
            throw VerificationError(
                .providerProtocolError, error.diagnostic, place: error.place, file: error.file, line: error.line)
        }
    }
}

extension CertifiedVerifier: HealthReporting {
    /// Ready as long as the certificate that we show is valid, where one is: without it no handshake comes to an end. Whether
    /// the provider is there is for the circuit to find out.
    public func health(at now: Timestamp) -> VerifierHealth {
        let certificates = configuration.tls.certificates
        return VerifierHealth(
            isReady: certificates.first?.isValid(at: now) ?? true,
            alarms: certificates.compactMap { $0.alarm(at: now) }, certificates: certificates)
    }

    /// What was read when the verifier was opened.
    public var parts: [LoadedPart] { configuration.parts }
}
