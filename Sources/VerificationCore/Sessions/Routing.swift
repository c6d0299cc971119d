/// How a session's verifier was picked, as it was when the session was created.
public struct Routing: Sendable, Hashable {
    /// The name of the rule that picked it.
    public var rule: String?
    /// The verifiers that were passed over, in the order in which they would have been taken.
    public var passedOver: [PassedOver] = []
    /// The verifiers that may be asked after an error, in order.
    public var fallbacks: [VerifierID] = []
    /// The verifier that verifies a second time, out of the answer's way.
    public var shadow: VerifierID?

    /// A note without content.
    public init() {}

    /// A verifier that could not be given the session.
    public struct PassedOver: Sendable, Hashable {
        /// The verifier.
        public let verifier: VerifierID
        /// Why.
        public let reason: OutageReason

        /// A verifier and why it was passed over.
        public init(_ verifier: VerifierID, _ reason: OutageReason) {
            self.verifier = verifier
            self.reason = reason
        }
    }
}

/// Why a verifier cannot be given a session now.
public enum OutageReason: String, Sendable, CaseIterable, Hashable {
    /// It is not configured, or not for the document.
    case unsuitable
    /// Its circuit is open.
    case circuitOpen = "circuit_open"
    /// An operator took it out.
    case heldOpen = "held_open"
    /// As many of its calls run as may.
    case concurrencyFull = "concurrency_full"
    /// It has no current certification, or not of a regime that the purpose accepts.
    case certificationNotCurrent = "certification_not_current"
    /// It reports that it is not ready: a key or a trust anchor is missing.
    case notReady = "not_ready"
    /// It could not open the session when it was asked to.
    case beginFailed = "begin_failed"
    /// Its budget is spent.
    case budgetSpent = "budget_spent"
}

/// When and how a verifier that answers later is asked.
public struct ProviderWait: Sendable, Hashable {
    /// When it is asked next; `nil` where only a notification or the processing deadline ends the wait.
    public var nextAt: Timestamp?
    /// The call to make: `poll`, or `fetch` where the submission's own answer was lost.
    public var step: VerificationStep
    /// How often it was asked so far.
    public var asked: Int

    /// A wait.
    public init(nextAt: Timestamp?, step: VerificationStep, asked: Int) {
        self.nextAt = nextAt
        self.step = step
        self.asked = asked
    }
}
