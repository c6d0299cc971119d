public import VerificationCore

/// What a call says of a verifier.
public enum CircuitOutcome: Sendable, Hashable {
    /// It answered: a verdict, either one, or that it will answer later.
    case answered
    /// It failed.
    case failed(CircuitFailure)
    /// Nothing: the call was given up, or what went wrong is ours.
    case nothing

    /// What an error says.
    public init(_ error: VerificationError) {
        self = CircuitFailure(error.code).map(CircuitOutcome.failed) ?? .nothing
    }
}

/// The errors that count against a verifier. A rejection is an answer; our own limits, what we cancel, and what we ask
/// for in vain say nothing of the other side.
public enum CircuitFailure: String, Sendable, CaseIterable, Hashable {
    case providerUnavailable = "provider_unavailable"
    case providerTimeout = "provider_timeout"
    case providerProtocolError = "provider_protocol_error"

    /// The class of an error; `nil` for one that does not count.
    ///
    /// `revocation_unavailable` does not: revocation data is missing for one issuer's signer, and a circuit that opened
    /// for it would refuse the cards of all others. A verifier whose lists are stale says so by its alarms.
    public init?(_ code: VerificationError.Code) {
        switch code {
        case .providerUnavailable: self = .providerUnavailable
        case .providerTimeout: self = .providerTimeout
        case .providerProtocolError: self = .providerProtocolError
        case .revocationUnavailable, .requestUnsupported, .challengeUnusable, .cancelled, .internal: return nil
        }
    }
}
