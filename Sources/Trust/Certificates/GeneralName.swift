/// One of the names of an alternative name or a distribution point (RFC 5280 section 4.2.1.6), as far as we use them.
public enum GeneralName: Sendable, Hashable {
    /// An e-mail address.
    case email(String)
    /// A URI.
    case uri(String)
    /// A DNS name.
    case dns(String)
    /// Any other kind, which no rule of ours looks into.
    case other

    /// The URI, where it is one.
    public var uri: String? {
        switch self {
        case .uri(let text): text
        case .email, .dns, .other: nil
        }
    }
}

/// Where a certificate says its CRL is to be had (RFC 5280 section 4.2.1.13).
public struct DistributionPoint: Sendable, Hashable {
    /// The full names of the point.
    public let names: [GeneralName]
    /// Whether the point holds only some reasons of revocation.
    public let limitsReasons: Bool
    /// Whether another than the certificate's issuer signs the list.
    public let namesIssuer: Bool
}
