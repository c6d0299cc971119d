public import VerificationCore

/// An event that a provider bills.
public struct Charge: Sendable, Hashable {
    /// Who bills it.
    public let provider: ProviderName
    /// The provider's reference of the verification.
    public let reference: String
    /// The reference that the caller gave.
    public let clientReference: String
    /// What the price list calls it.
    public let billableClass: String
    /// Yen as decimal text; a price may have a half.
    public let amount: String
    /// When it happened.
    public let at: Timestamp
    /// The key under which the call came, where it had one.
    public let idempotencyKey: String?
}

/// A call that reached a provider, or a notification that left it.
public struct CallRecord: Sendable, Hashable {
    /// Whose.
    public let provider: ProviderName
    /// What it was about.
    public let step: ProviderStep
    /// The key under which it came, where it had one.
    public let idempotencyKey: String?
    /// How it was spoilt, if it was.
    public let fault: String?
    /// The status of the answer that the provider had in mind; `nil` where it did no work.
    public internal(set) var status: Int?
    /// When it came.
    public let at: Timestamp
}
