/// What operators look up in a store. Nothing here says anything about a person.
public protocol OperatorStore: Sendable {
    /// Sessions that match, newest first, at most `limit`, older than the cursor's.
    func sessions(
        _ filter: SessionFilter, olderThan cursor: SessionCursor?, limit: Int
    ) async throws(StoreError) -> [SessionRecord]

    /// How many sessions are still open, by verifier, status and configuration version.
    func pinned() async throws(StoreError) -> [PinnedSessions]

    /// Adds to the counts of a day's shadow comparisons.
    func addShadowCounts(_ counts: [ShadowCount]) async throws(StoreError)

    /// The counts of shadow comparisons whose day lies in the half-open range.
    func shadowCounts(from: CivilDate, until: CivilDate) async throws(StoreError) -> [ShadowCount]

    /// Sets or removes a small value kept by name. `keepSetting` never replaces one; this does.
    func replaceSetting(_ name: String, with value: [UInt8]?) async throws(StoreError)
}

/// Which sessions are looked for. What is `nil` is not looked at.
public struct SessionFilter: Sendable, Hashable {
    /// The statuses; empty for all.
    public var statuses: Set<SessionStatus> = []
    /// The pinned verifier.
    public var verifier: VerifierID?
    /// The client.
    public var client: ClientID?
    /// The purpose.
    public var purpose: PurposeID?
    /// A reason that one of its checks failed with.
    public var reason: Reason?
    /// Created at this instant or later.
    public var createdFrom: Timestamp?
    /// Created before this instant.
    public var createdBefore: Timestamp?
    /// The keyed digests under which the app's reference may have been kept; empty where it is not looked for.
    public var referenceIndexes: [[UInt8]] = []

    /// All sessions.
    public init() {}
}

/// A place in the list of sessions.
public struct SessionCursor: Sendable, Hashable {
    /// When the last session seen was created.
    public let createdAt: Timestamp
    /// Its identifier.
    public let id: SessionID

    /// A place.
    public init(createdAt: Timestamp, id: SessionID) {
        self.createdAt = createdAt
        self.id = id
    }
}

/// How many sessions hold to a verifier.
public struct PinnedSessions: Sendable, Hashable {
    /// The verifier.
    public let verifier: VerifierID
    /// `created` or `processing`.
    public let status: SessionStatus
    /// The configuration they were created under.
    public let configurationVersion: String
    /// How many.
    public let count: Int

    /// A count.
    public init(verifier: VerifierID, status: SessionStatus, configurationVersion: String, count: Int) {
        self.verifier = verifier
        self.status = status
        self.configurationVersion = configurationVersion
        self.count = count
    }
}

/// How often a primary and its shadow agreed on one thing in one day.
public struct ShadowCount: Sendable, Hashable {
    /// What came of a comparison.
    public enum Outcome: String, Sendable, CaseIterable, Hashable {
        case agree, differ
        /// Only the primary had it.
        case primaryOnly = "primary_only"
        /// Only the shadow had it.
        case shadowOnly = "shadow_only"
        /// The shadow came to no verdict.
        case failed
    }

    /// The day, in UTC.
    public let day: CivilDate
    /// The verifier that answered.
    public let primary: VerifierID
    /// The verifier that verified again.
    public let shadow: VerifierID
    /// `verdict`, or `claim:` and the claim's name.
    public let subject: String
    /// What came of it.
    public let outcome: Outcome
    /// How often.
    public var count: Int

    /// A count.
    public init(
        day: CivilDate, primary: VerifierID, shadow: VerifierID, subject: String, outcome: Outcome, count: Int
    ) {
        self.day = day
        self.primary = primary
        self.shadow = shadow
        self.subject = subject
        self.outcome = outcome
        self.count = count
    }
}
