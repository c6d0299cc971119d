/// How a verifier's work on a submission came out.
public enum Conclusion: Sendable {
    /// A verdict, with what happened on the way to it and what its provider said beside it.
    case verdict(Verdict, incidents: [Incident], provider: ProviderFacts = ProviderFacts())
    /// No verdict yet.
    case pending(Pending)
}

/// What a provider says beside its verdict.
public struct ProviderFacts: Sendable {
    /// Its own reference.
    public var reference: String?
    /// The time of the event that it bills by.
    public var eventTime: Timestamp?
    /// The certified program that verified, where its answer names it.
    public var program: String?
    /// That program's version.
    public var programVersion: String?
    /// The verifier's memory from now on, where the answer changed it; `nil` keeps what was.
    public var state: Sensitive<[UInt8]>?

    /// Facts.
    public init(
        reference: String? = nil, eventTime: Timestamp? = nil, program: String? = nil, programVersion: String? = nil,
        state: Sensitive<[UInt8]>? = nil
    ) {
        self.reference = reference
        self.eventTime = eventTime
        self.program = program
        self.programVersion = programVersion
        self.state = state
    }
}

/// Work that the other side took and has not finished.
public struct Pending: Sendable {
    /// When to ask, where the other side said so.
    public var retryAfter: Duration?
    /// What it said so far.
    public var provider: ProviderFacts

    /// Pending work.
    public init(retryAfter: Duration? = nil, provider: ProviderFacts = ProviderFacts()) {
        self.retryAfter = retryAfter
        self.provider = provider
    }
}
