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
    /// The call within the attempt. `started`, `ended`, `uncertain` and `resolved` occur once at most for each call.
    public var call: CallName?
    /// Who caused it, for what a person does: a client's name.
    public var actor: String?
    /// Why, in a person's words, for `adjusted` and `closed`.
    public var note: String?
    /// The month of the billing calendar that it belongs to whatever its times, such as `2026-11`.
    public var month: String?
    /// An amount in millionths of the currency's major unit (a unit price may be half a yen), for an `adjusted` that corrects money and not a quantity.
    public var amount: Int64?
    /// The amount's currency, such as `JPY`.
    public var currency: String?
    /// SHA-256 of the statement that a `closed` freezes.
    public var statement: [UInt8]?

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
