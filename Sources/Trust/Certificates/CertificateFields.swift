import VerificationCore

/// What was read of a certificate, as Swift values; made once by the seam.
struct CertificateFields: Sendable {
    var version = 0
    var serial = ""
    var subject = DistinguishedName()
    var issuer = DistinguishedName()
    var validity = ValidityPeriod(notBefore: Timestamp(milliseconds: 0), notAfter: Timestamp(milliseconds: 0))
    var signature = CertificateSignature.other
    var keyAlgorithm = KeyAlgorithm.other
    var publicKey = SubjectPublicKey.unsupported
    var keyIdentifier: [UInt8] = []
    var fingerprint: [UInt8] = []
    var extensions = CertificateExtensions()
}

/// The extensions of a certificate that some rule looks at.
struct CertificateExtensions: Sendable {
    /// The identifiers of the critical ones, in order.
    var critical: [String] = []
    /// The identifiers of those that no rule needs to be sound but some rule may, and that could not be read.
    var malformed: [String] = []
    var keyUsage: KeyUsage?
    var extendedKeyUsage: [String]?
    var basicConstraints: BasicConstraints?
    var subjectKeyIdentifier: [UInt8]?
    var authorityKeyIdentifier: [UInt8]?
    var issuerAlternativeNames: [GeneralName]?
    var distributionPoints: [DistributionPoint]?
}

/// A certificate's name, of subject or issuer.
public struct DistinguishedName: Sendable, Hashable {
    /// The whole name as RFC 4514 text.
    public internal(set) var text = ""
    /// The values of `C`.
    public internal(set) var countries: [String] = []
    /// The values of `ST`.
    public internal(set) var states: [String] = []
    /// The values of `CN`.
    public internal(set) var commonNames: [String] = []
    /// The encoded name, to compare by.
    var encoding: [UInt8] = []
}

/// Whether a certificate is an authority's, and how many authorities may stand below it (RFC 5280 section 4.2.1.9).
public struct BasicConstraints: Sendable, Hashable {
    /// Whether the key may sign certificates.
    public let isAuthority: Bool
    /// How many authorities may follow below; `nil` for any number.
    public let pathLength: Int?
}
