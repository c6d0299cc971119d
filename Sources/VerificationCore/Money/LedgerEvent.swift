/// The role in which a verifier was used.
public enum AttemptRole: String, Sendable, CaseIterable, Hashable {
    case primary, fallback, shadow
}

/// What a call may be billed for.
public enum BillableClass: String, Sendable, CaseIterable, Hashable {
    case sessionCreated = "session_created"
    case evidenceSubmitted = "evidence_submitted"
    case completedAny = "completed_any"
    case completedPass = "completed_pass"
    case completedFail = "completed_fail"
    case resubmission
    case statusCheck = "status_check"
    case dataRefetch = "data_refetch"
    case nonBillable = "non_billable"
}

/// How an attempt ended.
public enum AttemptOutcome: String, Sendable, CaseIterable, Hashable {
    case verified, rejected, failed
}

/// An event of the ledger before it has a place in the chain. It holds nothing about a person.
public struct LedgerDraft: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        case started, ended, uncertain, resolved, adjusted, closed
    }

    /// What happened.
    public var kind: Kind
    /// The attempt it happened to.
    public var attempt: AttemptID
    /// The role of the attempt.
    public var role: AttemptRole
    /// The session.
    public var session: SessionID
    /// The verifier.
    public var verifier: VerifierID
    /// The client.
    public var client: ClientID
    /// The purpose.
    public var purpose: PurposeID
    /// The provider's reference.
    public var providerReference: String?
    /// Our time.
    public var at: Timestamp
    /// The provider's time of the event that it bills by.
    public var providerTime: Timestamp?
    /// What it may be billed as.
    public var billableClass: BillableClass
    /// How many of it.
    public var quantity: Int64
    /// How it ended, for `ended` and `resolved`.
    public var outcome: AttemptOutcome?
    /// The certification's number.
    public var certification: String?
    /// The configuration version.
    public var configurationVersion: String
    /// The sequence number of the event that this one settles.
    public var settles: Int64?

    /// A draft.
    public init(
        kind: Kind, attempt: AttemptID, role: AttemptRole, session: SessionID, verifier: VerifierID, client: ClientID,
        purpose: PurposeID, at: Timestamp, billableClass: BillableClass, quantity: Int64 = 1,
        outcome: AttemptOutcome? = nil, configurationVersion: String
    ) {
        self.kind = kind
        self.attempt = attempt
        self.role = role
        self.session = session
        self.verifier = verifier
        self.client = client
        self.purpose = purpose
        self.at = at
        self.billableClass = billableClass
        self.quantity = quantity
        self.outcome = outcome
        self.configurationVersion = configurationVersion
    }
}

/// An event in its place in the chain.
public struct LedgerEvent: Sendable, Hashable {
    /// Its place, from 1 without gaps.
    public let sequence: Int64
    /// What happened.
    public let draft: LedgerDraft
    /// The hash of the event before; 32 zero bytes for the first.
    public let previousHash: [UInt8]
    /// SHA-256 over the event's canonical encoding, which includes `previousHash`.
    public let hash: [UInt8]

    /// An event of the chain.
    public init(sequence: Int64, draft: LedgerDraft, previousHash: [UInt8], hash: [UInt8]) {
        self.sequence = sequence
        self.draft = draft
        self.previousHash = previousHash
        self.hash = hash
    }
}
