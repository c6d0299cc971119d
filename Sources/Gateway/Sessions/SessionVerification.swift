import Routing
import VerificationCore

extension SessionService {
    /// Verifies the evidence of a session that was just claimed.
    func verify(
        _ work: SessionWork, _ evidence: Evidence, by opened: OpenedVerifier?, permit: CircuitPermit?
    ) async throws(Problem) -> SessionView {
        guard let opened, let permit else {
            return try await conclude(work, .failure(.verifierGone, .unmade))
        }
        inFlight.beginSubmission(work.record.id, to: opened.description.id)
        defer { inFlight.endSubmission(work.record.id) }
        shadows.hold(evidence, for: work, in: self)
        switch await judge(evidence, work, by: opened, permit: permit) {
        case .success(let conclusion): return try await take(conclusion, of: work)
        case .failure(let error) where error.mayHaveBilled && opened.description.reachesOut:
            return try await lose(work, after: error)
        case .failure(let error): return try await fallBack(from: work, with: evidence, after: error)
        }
    }

    /// What a verifier made of the evidence, or why there is nothing.
    func judge(
        _ evidence: Evidence, _ work: SessionWork, by opened: OpenedVerifier, permit: CircuitPermit
    ) async -> Result<Conclusion, VerificationError> {
        let call = work.submission
        let now = clock.now()
        let deadline = work.record.processingDeadline ?? now.advanced(by: current.settings.processingDeadline)
        return await calling(call, permit: permit) { () async throws(VerificationError) in
            try await opened.verifier.conclude(
                evidence, for: work.challenge, in: call.context(at: now, deadline: deadline))
        }
    }

    /// Ends the session with a verdict, or lets it wait for one. The submission that brought a pending answer stays
    /// open in the ledger: how it came out is not known yet.
    func take(_ conclusion: Conclusion, of work: SessionWork) async throws(Problem) -> SessionView {
        switch conclusion {
        case .verdict(let verdict, let incidents, let facts):
            return try await conclude(work, .verdict(verdict, incidents, facts))
        case .pending(let pending):
            let wait = pendingWait(work, asked: 0, retryAfter: pending.retryAfter)
            return try view(try await suspend(work, until: wait, facts: pending.provider))
        }
    }

    /// The submission's answer was lost: nothing is tried again and nobody else is asked. It may be fetched, or a notice
    /// may come; else the session fails at its processing deadline.
    func lose(_ work: SessionWork, after error: VerificationError) async throws(Problem) -> SessionView {
        let wait = lostWait(work, asked: 0, retryAfter: error.retryAfter)
        let record = try await suspend(work, until: wait, events: work.submission.ended(.unknown, at: clock.now()))
        return try view(record)
    }
}

extension FailureCode {
    /// Why there is no verdict, where a verifier could not tell.
    init(_ code: VerificationError.Code) {
        switch code {
        case .requestUnsupported, .challengeUnusable: self = .verifierGone
        case .providerUnavailable: self = .providerUnavailable
        case .providerTimeout: self = .providerTimeout
        case .providerProtocolError: self = .providerProtocolError
        case .revocationUnavailable: self = .revocationUnavailable
        case .cancelled: self = .interrupted
        case .internal: self = .internal
        }
    }
}
