public import VerificationCore

/// A line of a provider's invoice.
public struct InvoiceLine: Sendable, Hashable {
    /// The line of the file, from 1.
    public let line: Int
    /// The provider's reference.
    public let reference: String?
    /// Our own reference, where the provider repeats it: the attempt or the session.
    public let ownReference: String?
    /// When the provider says it happened.
    public let time: Timestamp
    /// What it bills.
    public let billableClass: BillableClass?
    /// How many.
    public let quantity: Int64
    /// What it asks for, before tax.
    public let amount: ExactAmount?

    /// A line.
    public init(
        line: Int, reference: String?, ownReference: String?, time: Timestamp, billableClass: BillableClass?,
        quantity: Int64, amount: ExactAmount?
    ) {
        self.line = line
        self.reference = reference
        self.ownReference = ownReference
        self.time = time
        self.billableClass = billableClass
        self.quantity = quantity
        self.amount = amount
    }
}

/// A call of ours that an invoice may hold.
public struct BilledCall: Sendable, Hashable {
    /// How sure we are of it.
    public enum Standing: Sendable, Hashable {
        /// It was billed by our own account.
        case billed
        /// It may have been: its answer was lost.
        case uncertain
        /// It was not, by our account.
        case notBilled
    }

    /// The sequence number of the event that an adjustment would settle.
    public let sequence: Int64
    /// The attempt.
    public let attempt: String
    /// The session.
    public let session: String
    /// The provider's reference.
    public let reference: String?
    /// When it happened, by the time that decides its month.
    public let time: Timestamp
    /// The month that it is in.
    public let month: BillingMonth
    /// What it is billed as.
    public let billableClass: BillableClass
    /// How many.
    public let quantity: Int64
    /// What we expect to pay for it, before tax; `nil` where it has no price.
    public let amount: ExactAmount?
    /// How sure we are.
    public let standing: Standing

    /// A call.
    public init(
        sequence: Int64, attempt: String, session: String, reference: String?, time: Timestamp, month: BillingMonth,
        billableClass: BillableClass, quantity: Int64, amount: ExactAmount?, standing: Standing
    ) {
        self.sequence = sequence
        self.attempt = attempt
        self.session = session
        self.reference = reference
        self.time = time
        self.month = month
        self.billableClass = billableClass
        self.quantity = quantity
        self.amount = amount
        self.standing = standing
    }
}
