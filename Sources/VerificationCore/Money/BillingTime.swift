/// Which of a call's times decides its month.
public enum BillingTime: String, Sendable, CaseIterable, Hashable {
    /// When the call left.
    case started
    /// When its end was written down: `ended` or `uncertain`, which a later `resolved` does not move into another month;
    /// `started` while it is open.
    case ended
    /// The provider's own time of the event; the end's where it gave none.
    case provider
}
