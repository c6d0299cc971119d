import Routing
import VerificationCore

extension SessionService {
    /// Makes a call and says what it came to, to the circuit and to the metrics. `permit` is the place that it took;
    /// without one it is a call that must be made whatever the circuit says.
    func calling<Value: Sendable>(
        _ call: ProviderCall, permit: CircuitPermit?,
        _ body: () async throws(VerificationError) -> Value
    ) async -> Result<Value, VerificationError> {
        let verifier = call.attempt.verifier.id
        let result = await plain(call, body)
        var word = "answered"
        var outcome = CircuitOutcome.answered
        if case .failure(let error) = result {
            word = error.code.rawValue
            outcome = CircuitOutcome(error)
        }
        if let permit {
            permit.record(outcome, at: clock.monotonic())
        } else {
            current.circuits.record(verifier, outcome, at: clock.monotonic())
        }
        metrics.count(
            .calls, [("verifier", verifier.rawValue), ("step", call.step.rawValue), ("outcome", word)])
        return result
    }

    /// Makes a call and writes into the log what went wrong.
    private func plain<Value: Sendable>(
        _ call: ProviderCall, _ body: () async throws(VerificationError) -> Value
    ) async -> Result<Value, VerificationError> {
        do throws(VerificationError) {
            return .success(try await body())
        } catch {
            var details: [(Log.Key, Log.Value)] = [
                (.session, .text(call.attempt.session.rawValue)),
                (.verifier, .text(call.attempt.verifier.id.rawValue)), (.step, .text(call.step.rawValue)),
                (.code, .text(error.code.rawValue)), (.problem, .text(error.diagnostic.description)),
            ]
            if let status = error.answerStatus { details.append((.answerStatus, .number(Int64(status)))) }
            if let place = error.place { details.append((.place, .text(place))) }
            details.append((.site, .text(error.site)))
            log(.warning, "a verifier could not tell", at: clock.now(), details)
            return .failure(error)
        }
    }

    /// What came of opening a verification at a verifier.
    enum Begun {
        /// It is open. The events are to be written with what follows.
        case open(Challenge, [LedgerDraft])
        /// It is not, and nothing was billed.
        case failed
        /// Nobody knows: it may have been billed.
        case lost
    }

    /// Opens a verification. A call that may bill is written down before it is made.
    func begin(
        _ request: VerificationRequest, in attempt: Attempt, by opened: OpenedVerifier, deadline: Timestamp
    ) async throws(Problem) -> Begun {
        let call = attempt.call(.begin)
        var permit: CircuitPermit?
        if opened.description.steps.contains(.begin) {
            guard let place = try? current.circuits.acquire(attempt.verifier.id, at: clock.monotonic()) else {
                return .failed
            }
            permit = place
        }
        let now = clock.now()
        if call.isWrittenBefore { try await append([call.started(at: now)]) }
        let begin = { () async throws(VerificationError) in
            try await opened.verifier.begin(request, in: call.context(at: now, deadline: deadline))
        }
        // Where nothing is asked of anybody, nothing is learnt of anybody.
        let result = permit == nil ? await plain(call, begin) : await calling(call, permit: permit, begin)
        switch result {
        case .success(let challenge):
            let end = call.ended(
                .answered(nil, ProviderFacts(reference: challenge.providerReference)), at: clock.now())
            guard isSound(challenge, of: request, by: opened.description) else {
                try await append(end)
                return .failed
            }
            return .open(challenge, end)
        case .failure(let error):
            let isLost = error.mayHaveBilled && opened.description.reachesOut
            try await append(call.ended(isLost ? .unknown : .failed, at: clock.now()))
            return isLost ? .lost : .failed
        }
    }

    /// Whether a challenge is what was asked for: a nonce of ours comes back as it was, one of a provider's is long
    /// enough to be guessed by nobody, and the wallet is asked for the key that the verifier said it has.
    private func isSound(_ challenge: Challenge, of request: VerificationRequest, by verifier: VerifierDescription)
        -> Bool
    {
        let isNonceSound =
            switch verifier.nonceOrigin {
            case .gateway: challenge.nonce == request.nonce
            case .provider: challenge.nonce.bytes.count >= Self.shortestProviderNonce
            }
        let isKeySound = verifier.walletKeys.map { $0.identity == challenge.walletIdentity } ?? true
        guard isNonceSound, isKeySound else {
            log(
                .error, "a verifier gave a challenge that cannot be used", at: clock.now(),
                [(.verifier, .text(verifier.id.rawValue)), (.session, .text(request.session.rawValue))])
            return false
        }
        return true
    }

    /// 128 bits: fewer could be met twice or guessed.
    static let shortestProviderNonce = 16
}
