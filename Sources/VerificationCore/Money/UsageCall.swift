/// One call of an attempt as the ledger's events leave it, with numbers for names: a report reads a million of them.
public struct UsageCall: Sendable, Hashable {
    /// Where it stands.
    public enum State: String, Sendable, CaseIterable, Hashable {
        /// It left, and nothing was written since.
        case open
        /// Its answer was lost; it may have billed.
        case uncertain
        /// It ended.
        case ended
        /// It was uncertain, and is settled.
        case resolved
    }

    /// The sequence number of its `started`.
    public var sequence: Int64
    /// The sequence number of the event that was written last.
    public var lastSequence: Int64
    /// The verifier, client and purpose, by their places in ``UsageNames``.
    public var verifier: Int32
    public var client: Int32
    public var purpose: Int32
    /// The role of the attempt.
    public var role: AttemptRole
    /// Whether it is the submission, which stands for the attempt where attempts are counted.
    public var isSubmission: Bool
    /// Where it stands.
    public var state: State
    /// How it ended.
    public var outcome: AttemptOutcome?
    /// What it is billed as, by the event written last.
    public var billableClass: BillableClass
    /// How many of it.
    public var quantity: Int64
    /// When it left.
    public var startedAt: Timestamp
    /// When its end was written down: that of `ended` or `uncertain`. A `resolved` leaves it as it is, because it tells
    /// what became of a call and not when; `nil` while it is open.
    public var endedAt: Timestamp?
    /// The provider's time.
    public var providerTime: Timestamp?

    /// A call that has just left.
    public init(
        sequence: Int64, verifier: Int32, client: Int32, purpose: Int32, role: AttemptRole, isSubmission: Bool,
        billableClass: BillableClass, quantity: Int64, startedAt: Timestamp
    ) {
        self.sequence = sequence
        self.lastSequence = sequence
        self.verifier = verifier
        self.client = client
        self.purpose = purpose
        self.role = role
        self.isSubmission = isSubmission
        self.state = .open
        self.billableClass = billableClass
        self.quantity = quantity
        self.startedAt = startedAt
    }

    /// The time that decides its month.
    public func time(by rule: BillingTime) -> Timestamp {
        switch rule {
        case .started: startedAt
        case .ended: endedAt ?? startedAt
        case .provider: providerTime ?? endedAt ?? startedAt
        }
    }

    /// Whether it counts as billed: what is open or uncertain is shown beside the total.
    public var isSettled: Bool {
        switch state {
        case .ended, .resolved: true
        case .open, .uncertain: false
        }
    }
}

/// The names that usage is kept under, by number.
public struct UsageNames: Sendable, Hashable {
    /// The names; a number is a place here.
    public let names: [String]

    /// Names.
    public init(_ names: [String]) {
        self.names = names
    }

    /// The name of a number.
    public subscript(_ number: Int32) -> String {
        names.indices.contains(Int(number)) ? names[Int(number)] : ""
    }
}
