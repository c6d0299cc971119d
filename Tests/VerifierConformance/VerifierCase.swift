import VerificationCore

/// One requirement on every verifier. A table of these runs under any test framework, or under none.
public struct VerifierCase: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence.
    public let name: String
    /// Throws where a verifier does not meet it.
    public let run: @Sendable (VerifierBench) async throws -> Void

    /// The name.
    public var description: String { name }

    init(_ name: String, _ run: @escaping @Sendable (VerifierBench) async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// The suite that every kind of verifier passes.
public enum VerifierConformance {
    /// Every case.
    public static let cases: [VerifierCase] = beginning + judging + bounds + silence
}

/// What a verifier did not do.
public struct VerifierMisbehaviour: Error, CustomStringConvertible {
    /// What was seen, and where it was asked.
    public let description: String

    init(_ text: String, _ line: Int) {
        description = "\(text) (line \(line))"
    }
}

func require(_ condition: Bool, _ text: @autoclosure () -> String, line: Int = #line) throws {
    if !condition { throw VerifierMisbehaviour(text(), line) }
}

func requireError(
    line: Int = #line, _ body: () async throws(VerificationError) -> Void
) async throws -> VerificationError {
    do throws(VerificationError) {
        try await body()
    } catch { return error }
    throw VerifierMisbehaviour("no error", line)
}

/// The steps that the cases share.
extension VerifierBench {
    /// How often a verifier that answers later is asked, and the pause before each question.
    private static let questions = 600
    private static let pause = Duration.milliseconds(50)

    static let document = DocumentCatalog.myNumberCard.type
    static let purpose = Purpose(
        id: PurposeID("conformance"), documentTypes: [document], claims: [ClaimName("name"), ClaimName("birthdate")],
        requiredClaims: [ClaimName("name"), ClaimName("birthdate")], retention: .zero, relyingPartyRetention: .none)

    func request(_ session: String = "ses_1", nonce: UInt8 = 1, type: String = document) throws -> VerificationRequest {
        guard let nonce = Nonce([UInt8](repeating: nonce, count: 32)) else {
            throw VerifierMisbehaviour("no nonce", #line)
        }
        return VerificationRequest(
            session: SessionID(session), purpose: Self.purpose, documentType: type, nonce: nonce)
    }

    /// The context of one call; `patience` is how long its caller waits.
    func context(_ call: String, attempt: String = "att_1", patience: Duration = .seconds(300)) -> AttemptContext {
        let now = now()
        return AttemptContext(
            attempt: AttemptID(attempt), idempotencyKey: "\(attempt)-\(call)", now: now,
            deadline: now.advanced(by: patience))
    }

    func begun(_ verifier: any Verifier, _ session: String = "1", nonce: UInt8 = 1) async throws -> Challenge {
        try await verifier.begin(
            request("ses_" + session, nonce: nonce), in: context("begin", attempt: "att_" + session))
    }

    /// The verdict on evidence, asked for until it is there.
    func verdict(
        _ verifier: any Verifier, _ evidence: Evidence, _ challenge: Challenge, attempt: String = "att_1"
    ) async throws -> (verdict: Verdict, incidents: [Incident], challenge: Challenge) {
        var known = challenge
        var conclusion = try await verifier.conclude(evidence, for: known, in: context("submit", attempt: attempt))
        for number in 1...Self.questions {
            switch conclusion {
            case .verdict(let verdict, let incidents, let facts): return (verdict, incidents, known.knowing(facts))
            case .pending(let pending):
                known = known.knowing(pending.provider)
                try await Task.sleep(for: Self.pause)
                conclusion = try await ask(verifier, known, number, attempt: attempt)
            }
        }
        throw VerifierMisbehaviour("no verdict, however often it was asked for", #line)
    }

    private func ask(
        _ verifier: any Verifier, _ challenge: Challenge, _ number: Int, attempt: String
    ) async throws -> Conclusion {
        if let polled = verifier as? any PollingVerifier, isPolled(verifier) {
            return try await polled.poll(challenge, in: context("poll:\(number)", attempt: attempt))
        }
        guard let fetched = verifier as? any FetchingVerifier else {
            throw VerifierMisbehaviour("it answers later and cannot be asked", #line)
        }
        switch try await fetched.fetch(challenge, in: context("fetch:\(number)", attempt: attempt)) {
        case .conclusion(let conclusion): return conclusion
        case .neverReceived: throw VerifierMisbehaviour("it took the evidence and knows nothing of it", #line)
        }
    }

    private func isPolled(_ verifier: any Verifier) -> Bool {
        (verifier as? any Conforming)?.description.steps.contains(.poll) ?? false
    }
}

extension Challenge {
    /// The challenge with what the other side said meanwhile, as the gateway keeps it.
    func knowing(_ facts: ProviderFacts) -> Challenge {
        Challenge(
            request: request, nonce: nonce, walletIdentity: walletIdentity, state: facts.state ?? state,
            providerReference: facts.reference ?? providerReference)
    }
}
