import HTTPClient
import JSONTree
import VerificationCore

/// One call of a step: the request is made once, goes out as often as the manifest allows, and its answer is judged.
///
/// Nothing else repeats a request, and a repeat is the same bytes but for its authentication. Once a request that may
/// bill has left and nobody knows what became of it, every error of the call says so, whatever a later try brought.
struct StepCall {
    /// Answers to authentication that is out of date.
    static let refusedStatus = 401
    /// The time for connecting.
    static let connectTimeout: Duration = .seconds(5)
    /// Less time is not worth a request.
    static let shortestTime: Duration = .milliseconds(50)

    let step: StepDeclaration
    let manifest: Manifest
    let values: TemplateValues
    let authenticator: any RequestAuthenticator
    let pacing: any Pacing
    let count: WireCount
    /// The billing rule in force, which the configuration may have changed.
    let billing: BillingRule?

    /// What an answer meant.
    struct Result {
        let outcome: OutcomeDeclaration
        let answer: ProviderAnswer
        /// Our time when it came.
        let at: Timestamp
        let retryAfter: Duration?
        /// Whether an earlier try may have been billed.
        let isUncertain: Bool
    }

    private struct State {
        var tries = 0
        var wasRefused = false
        /// A try left whose end nobody knows.
        var isUncertain = false
    }

    private enum Next {
        case result(Result)
        case again(after: Duration)
    }

    /// Makes the call; every outcome but those that end it without an answer is given back.
    func run() async throws(VerificationError) -> Result {
        let draft: DraftRequest
        do throws(RenderingError) {
            draft = try Rendering(values: values).request(step, idempotency: manifest.idempotency)
        } catch {
            switch error {
            case .missing: throw VerificationError(.challengeUnusable, "a value that the request needs is not known")
            case .unfit: throw VerificationError(.challengeUnusable, "a value cannot stand where the request needs it")
            }
        }
        let start = pacing.elapsed()
        let allowed = values.attempt.deadline.duration(since: values.attempt.now)
        var state = State()
        while true {
            let passed = pacing.elapsed() - start
            guard !Task.isCancelled else {
                throw VerificationError(
                    .cancelled, "nobody waits for the call any more", mayHaveBilled: state.isUncertain)
            }
            guard allowed - passed >= StepCall.shortestTime else {
                throw VerificationError(
                    .providerTimeout, "the time for the call is over", mayHaveBilled: state.isUncertain)
            }
            let next = try await attempt(draft, &state, passed: passed, left: allowed - passed)
            switch next {
            case .result(let result): return result
            case .again(let pause):
                if pause > .zero { await pacing.pause(for: pause) }
            }
        }
    }

    private func attempt(
        _ draft: DraftRequest, _ state: inout State, passed: Duration, left: Duration
    ) async throws(VerificationError) -> Next {
        var request = draft
        do throws(VerificationError) {
            try await authenticator.authorize(&request, at: values.attempt.now.advanced(by: passed))
        } catch {
            // The token's call is none of ours: what it cost is not known here, and it bills nothing.
            throw VerificationError(
                error.code, error.diagnostic, retryAfter: error.retryAfter, mayHaveBilled: state.isUncertain)
        }
        state.tries += 1
        let answer: OutboundAnswer
        do throws(OutboundFailure) {
            answer = try await values.access.client.send(outbound(request, left: left))
            count.add(max(1, answer.sends), to: step.step)
            // The library sent it again by itself: this is the answer to the last, and says nothing of the first.
            if answer.sends > 1, billing != nil { state.isUncertain = true }
        } catch {
            count.add(max(error.wasSent ? 1 : 0, error.sends), to: step.step)
            if error.wasSent, billing != nil { state.isUncertain = true }
            if let pause = pause(after: error, state, left: left) { return .again(after: pause) }
            throw StepCall.error(error, mayHaveBilled: state.isUncertain)
        }
        let now = values.attempt.now.advanced(by: passed)
        if answer.status == StepCall.refusedStatus, !state.wasRefused, await authenticator.refused(request, at: now) {
            // Refused at the door, so nothing was done: the one repeat costs nothing and is no try.
            state.wasRefused = true
            state.tries -= 1
            return .again(after: .zero)
        }
        return try judge(answer, &state, at: now, left: left)
    }

    private func outbound(_ request: DraftRequest, left: Duration) -> OutboundRequest {
        let timeout = min(step.timeout, left)
        return values.access.request(
            request.method, url: request.origin + request.target, headers: request.headers, body: request.body,
            connection: policy,
            limits: OutboundLimits(
                connectTimeout: min(StepCall.connectTimeout, timeout), totalTimeout: timeout,
                answerBytes: ProviderAnswer.limits.bytes))
    }

    /// Connections are shared only where a repeat by the library could not bill: libcurl sends a POST again by itself when a
    /// kept connection dies before the answer.
    var policy: ConnectionPolicy {
        let isOnce = billing != nil || step.step == .submit
        return isOnce && !manifest.isIdempotent(step.step) ? .fresh : .reuse
    }

    private func judge(
        _ answer: OutboundAnswer, _ state: inout State, at now: Timestamp, left: Duration
    ) throws(VerificationError) -> Next {
        let read = ProviderAnswer(
            status: answer.status, contentTypes: answer.headers.values(of: "content-type"), body: answer.body)
        guard let outcome = read.outcome(among: step.outcomes) else {
            // A refusal (3xx, 4xx) was not done; anything else may have been.
            let mayBill = billing != nil && !(300...499).contains(answer.status)
            throw VerificationError(
                .providerProtocolError,
                read.tree == nil
                    ? "no outcome of the manifest fits, and the answer is no JSON that can be read"
                    : "the provider answered something that its manifest does not name",
                mayHaveBilled: state.isUncertain || mayBill, answerStatus: answer.status)
        }
        let asked = answer.headers["retry-after"].flatMap { RetryAfter.pause($0, at: now) }
        let told = read.tree.flatMap { AnswerValues.pause(step.answer.retryAfter, in: $0, at: now) }
        let retryAfter = told ?? asked
        if outcome.mayHaveBilled, billing != nil { state.isUncertain = true }
        switch outcome.meaning {
        case .tryAgain:
            let isReplayed =
                answer.status >= 500 && (manifest.idempotency?.replaysErrors ?? false)
                && manifest.isIdempotent(step.step)
            if !isReplayed, let pause = pause(state, asked: retryAfter, left: left) { return .again(after: pause) }
            throw VerificationError(
                .providerUnavailable, "the provider asks to try again later", retryAfter: retryAfter,
                mayHaveBilled: state.isUncertain, answerStatus: answer.status)
        case .unavailable:
            throw VerificationError(
                .providerUnavailable, "the provider cannot work now", retryAfter: retryAfter,
                mayHaveBilled: state.isUncertain, answerStatus: answer.status)
        case .error:
            throw VerificationError(
                .providerProtocolError, "the provider refused the request", mayHaveBilled: state.isUncertain,
                answerStatus: answer.status)
        case .opened, .verified, .rejected, .pending, .neverReceived, .erased:
            guard read.tree != nil || outcome.ignoresBody else {
                throw VerificationError(
                    .providerProtocolError, "the provider's answer is no JSON that can be read",
                    mayHaveBilled: state.isUncertain || billing != nil && (200...299).contains(answer.status),
                    answerStatus: answer.status)
            }
            return .result(
                Result(
                    outcome: outcome, answer: read, at: now, retryAfter: retryAfter, isUncertain: state.isUncertain))
        }
    }

    /// The pause before another try; `nil` where there is none. `check` allows tries only where a repeat cannot bill twice.
    private func pause(_ state: State, asked: Duration?, left: Duration) -> Duration? {
        guard let retry = step.retry, state.tries < retry.tries else { return nil }
        if let asked, asked > retry.longestPause { return nil }
        let pause = max(asked ?? .zero, retry.pause(after: state.tries, pacing: pacing))
        return pause + StepCall.shortestTime < left ? pause : nil
    }

    private func pause(after failure: OutboundFailure, _ state: State, left: Duration) -> Duration? {
        switch failure.code {
        case .dnsFailed, .connectFailed, .timedOutBeforeSending, .timedOut, .connectionLost:
            return pause(state, asked: nil, left: left)
        case .requestRefused, .tlsFailed, .answerTooLarge, .badAnswer, .cancelled, .closed, .tooManyRequests,
            .noResources:
            return nil
        }
    }

    private static func error(_ failure: OutboundFailure, mayHaveBilled: Bool) -> VerificationError {
        switch failure.code {
        case .requestRefused:
            VerificationError(.internal, "a request was made that cannot be sent", mayHaveBilled: mayHaveBilled)
        case .dnsFailed, .connectFailed, .timedOutBeforeSending, .closed:
            VerificationError(.providerUnavailable, "the provider cannot be reached", mayHaveBilled: mayHaveBilled)
        case .tlsFailed:
            VerificationError(.providerUnavailable, "no TLS with whom we meant", mayHaveBilled: mayHaveBilled)
        case .tooManyRequests, .noResources:
            VerificationError(.providerUnavailable, "too many requests are out already", mayHaveBilled: mayHaveBilled)
        case .timedOut:
            VerificationError(.providerTimeout, "the provider did not answer in time", mayHaveBilled: mayHaveBilled)
        case .connectionLost:
            VerificationError(
                .providerUnavailable, "the connection ended before the answer did", mayHaveBilled: mayHaveBilled)
        case .answerTooLarge, .badAnswer:
            VerificationError(
                .providerProtocolError, "the provider's answer is too large or none of HTTP",
                mayHaveBilled: mayHaveBilled)
        case .cancelled:
            VerificationError(.cancelled, "nobody waits for the call any more", mayHaveBilled: mayHaveBilled)
        }
    }
}
