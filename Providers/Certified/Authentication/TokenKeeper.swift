import VerificationCore

/// Where a token comes from.
protocol TokenSource: Sendable {
    /// A fresh token; one call to the other side, never billed.
    func fetch(at now: Timestamp) async throws(VerificationError) -> Token
}

/// A token and how long it is good.
struct Token: Sendable {
    var value: Sensitive<String>
    /// From here on a new one is fetched before the next request.
    var renewal: Timestamp
    /// From here on it is not used at all.
    var expiry: Timestamp
}

/// Holds the one token of a verifier and renews it, never twice at a time.
///
/// However many requests wait, they wait for one call; the call is nobody's own, so that a request that is given up
/// takes nothing from the others.
actor TokenKeeper {
    private let source: any TokenSource
    private var held: Token?
    private var flight: Task<Result<Token, VerificationError>, Never>?

    init(_ source: any TokenSource) {
        self.source = source
    }

    /// A token that is good at `now`: the one held, or the one that the call in flight brings.
    ///
    /// A token from that call is given out even if it is short-lived: whoever waited for it uses it at once.
    func token(at now: Timestamp) async throws(VerificationError) -> Sensitive<String> {
        if let held, now < held.renewal { return held.value }
        let result = await (flight ?? takeOff(at: now)).value
        switch result {
        case .success(let token): return token.value
        case .failure(let error):
            // The token endpoint is down and the old token still good: the margin was made for this.
            if let held, now < held.expiry { return held.value }
            throw error
        }
    }

    /// Drops a token that the provider refused, if it is still the one held.
    func drop(_ value: Sensitive<String>) {
        let isHeld = held?.value.withValue { held in value.withValue { $0 == held } } ?? false
        if isHeld { held = nil }
    }

    private func takeOff(at now: Timestamp) -> Task<Result<Token, VerificationError>, Never> {
        let task = Task { () -> Result<Token, VerificationError> in
            let result: Result<Token, VerificationError>
            do throws(VerificationError) {
                result = .success(try await source.fetch(at: now))
            } catch {
                result = .failure(error)
            }
            land(result)
            return result
        }
        flight = task
        return task
    }

    private func land(_ result: Result<Token, VerificationError>) {
        flight = nil
        if case .success(let token) = result { held = token }
    }
}
