import VerificationCore

/// An X.509 certificate, parsed once; two are equal when their bytes are.
///
/// Nothing is trusted by being parsed: a rule that a certificate breaks is a value (``CertificateProblem``).
public struct Certificate: Sendable {
    /// Longer input is refused unread: a document signer's certificate has about 500 bytes, an authority's 1,000.
    public static let maximumLength = 16_384

    private let storage: Storage

    /// Parses the DER encoding of one certificate.
    public init(der: some Collection<UInt8>) throws(CertificateError) {
        guard der.count <= Certificate.maximumLength else { throw .tooLong }
        let bytes = Array(der)
        let handle = try X509Handle(der: bytes)
        storage = Storage(der: bytes, handle: handle, fields: try handle.fields())
    }

    /// The encoded certificate, as it was received.
    public var der: [UInt8] { storage.der }
    /// The version: 3 for everything with extensions.
    public var version: Int { storage.fields.version }
    /// The serial number in hexadecimal, with a minus sign where it is negative.
    public var serialNumber: String { storage.fields.serial }
    /// Whom it is for.
    public var subject: DistinguishedName { storage.fields.subject }
    /// Who is said to have issued it; no decision rests on it.
    public var issuer: DistinguishedName { storage.fields.issuer }
    /// When it is valid.
    public var validity: ValidityPeriod { storage.fields.validity }
    /// How it is signed.
    public var signature: CertificateSignature { storage.fields.signature }
    /// What kind of key it holds.
    public var keyAlgorithm: KeyAlgorithm { storage.fields.keyAlgorithm }
    /// The key, ready to verify with.
    public var publicKey: SubjectPublicKey { storage.fields.publicKey }
    /// SHA-1 of the key's bits: what a subject key identifier is made by (RFC 5280 section 4.2.1.2, first way).
    public var keyIdentifier: [UInt8] { storage.fields.keyIdentifier }
    /// SHA-256 of the encoded certificate.
    public var fingerprint: [UInt8] { storage.fields.fingerprint }
    /// The uses of the key; `nil` where the extension is absent.
    public var keyUsage: KeyUsage? { storage.fields.extensions.keyUsage }
    /// The purposes of the key as dotted identifiers; `nil` where the extension is absent.
    public var extendedKeyUsage: [String]? { storage.fields.extensions.extendedKeyUsage }
    /// Whether it is an authority's; `nil` where the extension is absent.
    public var basicConstraints: BasicConstraints? { storage.fields.extensions.basicConstraints }
    /// The identifier that it gives its own key.
    public var subjectKeyIdentifier: [UInt8]? { storage.fields.extensions.subjectKeyIdentifier }
    /// The identifier that it gives its issuer's key; a hint, never a proof.
    public var authorityKeyIdentifier: [UInt8]? { storage.fields.extensions.authorityKeyIdentifier }
    /// Other names of the issuer; `nil` where the extension is absent.
    public var issuerAlternativeNames: [GeneralName]? { storage.fields.extensions.issuerAlternativeNames }
    /// Where its CRL is to be had; `nil` where the extension is absent.
    public var distributionPoints: [DistributionPoint]? { storage.fields.extensions.distributionPoints }
    /// The identifiers of the critical extensions.
    public var criticalExtensions: [String] { storage.fields.extensions.critical }
    /// The identifiers of extensions that are there and cannot be read.
    public var malformedExtensions: [String] { storage.fields.extensions.malformed }

    /// Whether it says of itself that it may sign certificates.
    public var isAuthority: Bool { basicConstraints?.isAuthority ?? false }

    /// Whether subject and issuer are the same name.
    public var isSelfIssued: Bool { subject.encoding == issuer.encoding }

    /// Whether an extension is there and critical.
    public func isCritical(_ identifier: String) -> Bool { criticalExtensions.contains(identifier) }

    /// Whether this certificate's key made the signature on `other`. Names and identifiers are not looked at.
    public func issued(_ other: Certificate) -> Bool {
        other.storage.handle.isSigned(byKeyOf: storage.handle)
    }

    /// Whether this certificate's key made the signature on a CRL.
    func issued(_ list: CRLHandle) -> Bool {
        list.isSigned(byKeyOf: storage.handle)
    }

    /// Behind a reference, so that handing a certificate on costs one count.
    private final class Storage: Sendable {
        let der: [UInt8]
        let handle: X509Handle
        let fields: CertificateFields

        init(der: [UInt8], handle: X509Handle, fields: CertificateFields) {
            self.der = der
            self.handle = handle
            self.fields = fields
        }
    }
}

extension Certificate: Hashable {
    /// Compares the bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.storage === right.storage || left.der == right.der
    }

    /// Hashes the fingerprint.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
    }
}
