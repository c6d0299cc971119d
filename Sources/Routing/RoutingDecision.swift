public import VerificationCore

/// Who gets a session, and why.
public struct RoutingDecision: Sendable, Hashable {
    /// The verifier; `nil` where none can be given the session.
    public let verifier: VerifierID?
    /// What is kept on the session.
    public let routing: Routing
    /// Every step that led there, in order.
    public let steps: [RoutingStep]
}

/// One step of a decision.
public enum RoutingStep: Sendable, Hashable {
    /// A rule did not speak of the session.
    case skipped(rule: String, unmet: RoutingRule.Condition)
    /// A rule did, and this is the order in which its verifiers come: its targets as the session's shares fell, then
    /// its fallbacks.
    case matched(rule: String, candidates: [VerifierID])
    /// A verifier could not be given the session.
    case passedOver(rule: String, verifier: VerifierID, OutageReason)
    /// A verifier was picked.
    case picked(rule: String, verifier: VerifierID)
    /// Another verifies again.
    case shadowed(rule: String, verifier: VerifierID)
    /// No rule is left.
    case nobody
}
