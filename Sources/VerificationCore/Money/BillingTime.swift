/// Which of a call's times decides its month.
public enum BillingTime: String, Sendable, CaseIterable, Hashable {
    /// When the call left.
    case started
    /// When its end was written down: `ended`, `resolved` or, until then, `uncertain`; `started` while it is open.
    case ended
    /// The provider's own time of the event; the end's where it gave none.
    case provider
}
