/// The states of a session. `created` → `processing` → `verified` | `rejected` | `failed`; `created` → `expired` |
/// `cancelled`.
public enum SessionStatus: String, Sendable, CaseIterable, Hashable {
    case created, processing, verified, rejected, failed, expired, cancelled

    /// Whether the state never changes again.
    public var isFinal: Bool {
        switch self {
        case .created, .processing: false
        case .verified, .rejected, .failed, .expired, .cancelled: true
        }
    }
}

/// What can happen to a session.
public enum SessionEvent: Sendable, CaseIterable, Hashable {
    /// A submission claims the session's nonce.
    case claim
    /// The verdict is verified.
    case verify
    /// The verdict is rejected.
    case reject
    /// No verdict will come.
    case fail
    /// The time to submit is over.
    case expire
    /// The app gave up.
    case cancel
}

extension SessionStatus {
    /// The state after an event, or `nil` where the event is refused and changes nothing.
    public func after(_ event: SessionEvent) -> SessionStatus? {
        switch (self, event) {
        case (.created, .claim): .processing
        case (.created, .expire): .expired
        case (.created, .cancel): .cancelled
        case (.processing, .verify): .verified
        case (.processing, .reject): .rejected
        case (.processing, .fail): .failed
        case (.created, .verify), (.created, .reject), (.created, .fail),
            (.processing, .claim), (.processing, .expire), (.processing, .cancel),
            (.verified, _), (.rejected, _), (.failed, _), (.expired, _), (.cancelled, _):
            nil
        }
    }
}

/// Why a session ended without a verdict.
public enum FailureCode: String, Sendable, CaseIterable, Hashable {
    /// The gateway stopped while it verified; the nonce stays spent.
    case interrupted
    /// The processing deadline passed.
    case providerTimeout = "provider_timeout"
    /// The verifier could not be reached.
    case providerUnavailable = "provider_unavailable"
    /// The verifier answered something unknown.
    case providerProtocolError = "provider_protocol_error"
    /// Revocation data is needed by policy, and was not to be had.
    case revocationUnavailable = "revocation_unavailable"
    /// The verifier that the session was pinned to is gone or has changed.
    case verifierGone = "verifier_gone"
    /// A fault of our own.
    case `internal`
}
