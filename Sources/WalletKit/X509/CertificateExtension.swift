/// One extension of a certificate or a revocation list.
public struct CertificateExtension: Sendable, Hashable {
    /// Its dotted identifier.
    public var identifier: String
    /// Whether a reader that does not know it must refuse.
    public var critical: Bool
    /// The DER inside its OCTET STRING.
    public var value: [UInt8]

    /// An extension.
    public init(_ identifier: String, critical: Bool = false, value: [UInt8]) {
        self.identifier = identifier
        self.critical = critical
        self.value = value
    }

    /// `id-mdl-kp-mdlDS` (ISO/IEC 18013-5 Annex B.1.4): the signer of documents.
    public static let documentSigner = "1.0.18013.5.1.2"
    /// `id-mdl-kp-mdlReaderAuth` (Annex B.1.7): a reader, which must not sign documents.
    public static let reader = "1.0.18013.5.1.6"

    static let keyUsageID = "2.5.29.15"
    static let extendedKeyUsageID = "2.5.29.37"
    static let basicConstraintsID = "2.5.29.19"

    var der: [UInt8] {
        DER.sequence(DER.oid(identifier), critical ? DER.boolean(true) : [], DER.octets(value))
    }

    package static func basicConstraints(authority: Bool, pathLength: UInt8? = nil) -> CertificateExtension {
        let content = authority ? DER.boolean(true) + (pathLength.map { DER.integer([$0]) } ?? []) : []
        return CertificateExtension(basicConstraintsID, critical: true, value: DER.element(0x30, content))
    }

    /// keyUsage by its bits: 0 digitalSignature, 5 keyCertSign, 6 cRLSign.
    package static func keyUsage(bits: [Int]) -> CertificateExtension {
        let byte = bits.reduce(UInt8(0)) { $0 | 0x80 >> UInt8($1) }
        let unused = UInt8(byte.trailingZeroBitCount)
        return CertificateExtension(keyUsageID, critical: true, value: DER.bits([byte], unused: unused))
    }

    package static func extendedKeyUsage(_ purposes: [String], critical: Bool) -> CertificateExtension {
        CertificateExtension(
            extendedKeyUsageID, critical: critical, value: DER.sequence(of: purposes.map { DER.oid($0) }))
    }

    package static func subjectKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension("2.5.29.14", value: DER.octets(identifier))
    }

    package static func authorityKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
        CertificateExtension("2.5.29.35", value: DER.sequence(DER.element(0x80, identifier)))
    }

    /// subjectAltName of a server: names and addresses, as a client compares them (RFC 5280 section 4.2.1.6).
    package static func subjectAlternativeNames(hosts: [String], addresses: [[UInt8]]) -> CertificateExtension {
        let names = hosts.map { DER.element(0x82, Array($0.utf8)) } + addresses.map { DER.element(0x87, $0) }
        return CertificateExtension("2.5.29.17", value: DER.sequence(of: names))
    }

    /// issuerAltName with one URI (Annex B: a contact of the authority).
    static func issuerAlternativeName(uri: String) -> CertificateExtension {
        CertificateExtension("2.5.29.18", value: DER.sequence(DER.element(0x86, Array(uri.utf8))))
    }

    static func revocationListPoint(uri: String) -> CertificateExtension {
        let name = DER.element(0xA0, DER.element(0xA0, DER.element(0x86, Array(uri.utf8))))
        return CertificateExtension("2.5.29.31", value: DER.sequence(DER.sequence(name)))
    }

    static func revocationListNumber(_ number: UInt8) -> CertificateExtension {
        CertificateExtension("2.5.29.20", value: DER.integer([number]))
    }
}
