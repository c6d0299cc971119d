/// A certificate before it is signed (RFC 5280 section 4.1): anything in it may be wrong on purpose.
public struct CertificateTemplate: Sendable {
    /// The serial number's bytes.
    public var serial: [UInt8]
    /// Who signs.
    public var issuer: DistinguishedName
    /// Whose key it is.
    public var subject: DistinguishedName
    /// The first instant of validity.
    public var notBefore: Moment
    /// The last instant of validity.
    public var notAfter: Moment
    /// SubjectPublicKeyInfo.
    public var publicKeyInfo: [UInt8]
    /// The extensions, in order.
    public var extensions: [CertificateExtension]

    /// A template.
    package init(
        serial: [UInt8], issuer: DistinguishedName, subject: DistinguishedName, notBefore: Moment, notAfter: Moment,
        publicKeyInfo: [UInt8], extensions: [CertificateExtension]
    ) {
        self.serial = serial
        self.issuer = issuer
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.publicKeyInfo = publicKeyInfo
        self.extensions = extensions
    }

    /// The extension of this identifier; setting `nil` removes it, setting another adds or replaces it.
    subscript(_ identifier: String) -> CertificateExtension? {
        get { extensions.first { $0.identifier == identifier } }
        set {
            if let index = extensions.firstIndex(where: { $0.identifier == identifier }) {
                if let newValue { extensions[index] = newValue } else { extensions.remove(at: index) }
            } else if let newValue {
                extensions.append(newValue)
            }
        }
    }

    /// The signed certificate.
    public func signed(by key: PrivateKey, sha1: Bool = false) throws(WalletError) -> [UInt8] {
        // SHA-1 is there to be refused: ecdsa-with-SHA1.
        let algorithm = sha1 ? DER.sequence(DER.oid("1.2.840.10045.4.1")) : key.kind.signatureAlgorithm
        let body = DER.sequence(
            DER.explicit(0, DER.integer([2])), DER.integer(serial), algorithm, issuer.der,
            DER.sequence(DER.time(notBefore), DER.time(notAfter)), subject.der, publicKeyInfo,
            extensions.isEmpty ? [] : DER.explicit(3, DER.sequence(of: extensions.map(\.der))))
        return DER.sequence(body, algorithm, DER.bits(try key.signDER(body, sha1 ? .sha1 : nil)))
    }
}

/// A revocation list before it is signed (RFC 5280 section 5.1).
public struct RevocationListTemplate: Sendable {
    /// Who signs.
    public var issuer: DistinguishedName
    /// When it was made.
    public var thisUpdate: Moment
    /// When the next one is due.
    public var nextUpdate: Moment
    /// The revoked serial numbers.
    public var serials: [[UInt8]]
    /// The signer's key identifier.
    public var authorityKeyIdentifier: [UInt8]

    /// The signed list in DER.
    public func signed(by key: PrivateKey) throws(WalletError) -> [UInt8] {
        let algorithm = key.kind.signatureAlgorithm
        let revoked = serials.map { DER.sequence(DER.integer($0), DER.time(thisUpdate)) }
        let extensions: [CertificateExtension] = [
            .authorityKeyIdentifier(authorityKeyIdentifier), .revocationListNumber(1),
        ]
        let body = DER.sequence(
            DER.integer([1]), algorithm, issuer.der, DER.time(thisUpdate), DER.time(nextUpdate),
            revoked.isEmpty ? [] : DER.sequence(of: revoked),
            DER.explicit(0, DER.sequence(of: extensions.map(\.der))))
        return DER.sequence(body, algorithm, DER.bits(try key.signDER(body)))
    }
}
