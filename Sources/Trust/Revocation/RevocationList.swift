import Cryptography
public import VerificationCore

/// A CRL (RFC 5280 section 5) from a file, parsed once. It counts only under a key that made its signature.
public struct RevocationList: Sendable {
    /// Longer files are refused unread: a list of this size holds some 400,000 entries.
    public static let maximumLength = 16 * 1024 * 1024

    /// The file it came from.
    public let source: String
    /// SHA-256 of the encoded list.
    public let fingerprint: [UInt8]
    let handle: CRLHandle
    let fields: CRLFields

    /// Parses the DER encoding of one CRL.
    public init(der: [UInt8], source: String) throws(CertificateError) {
        guard der.count <= RevocationList.maximumLength else { throw .tooLong }
        handle = try CRLHandle(der: der)
        fields = try handle.fields()
        self.source = source
        fingerprint = Hash.sha256(der)
    }

    /// Who is said to have issued it; no decision rests on it.
    public var issuer: DistinguishedName { fields.issuer }
    /// When it was made.
    public var thisUpdate: Timestamp { fields.thisUpdate }
    /// When a newer one is due; a list without it is never current.
    public var nextUpdate: Timestamp? { fields.nextUpdate }
    /// How many certificates it names.
    public var count: Int { fields.serialNumbers.count }

    /// Whether it may be relied on at an instant.
    public func isCurrent(at now: Timestamp) -> Bool {
        guard let nextUpdate else { return false }
        return thisUpdate <= now && now <= nextUpdate
    }

    /// Whether `authority` may sign lists and signed this one.
    func isIssued(by authority: Certificate) -> Bool {
        fields.signature.isAllowed && authority.keyUsage?.contains(.cRLSign) ?? false && authority.issued(handle)
    }

    func names(_ certificate: Certificate) -> Bool {
        fields.serialNumbers.contains(certificate.serialNumber)
    }
}
