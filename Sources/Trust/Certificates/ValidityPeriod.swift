public import VerificationCore

/// The time in which a certificate is valid; both ends belong to it (RFC 5280 section 4.1.2.5).
public struct ValidityPeriod: Sendable, Hashable {
    /// The first valid instant.
    public let notBefore: Timestamp
    /// The last valid instant.
    public let notAfter: Timestamp

    /// A period; empty where `notAfter` lies before `notBefore`.
    public init(notBefore: Timestamp, notAfter: Timestamp) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Whether an instant lies inside.
    public func contains(_ time: Timestamp) -> Bool {
        notBefore <= time && time <= notAfter
    }

    /// The time that is in both periods.
    func intersection(_ other: ValidityPeriod) -> ValidityPeriod {
        ValidityPeriod(notBefore: max(notBefore, other.notBefore), notAfter: min(notAfter, other.notAfter))
    }
}
