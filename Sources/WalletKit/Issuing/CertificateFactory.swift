/// Makes an issuer's certificates after ISO/IEC 18013-5 Annex B, or with the little that real ones often have.
struct CertificateFactory {
    let options: IssuerOptions
    let names: Issuer.Names
    let created: Moment
    let randomness: Randomness

    private static let contact = "https://issuer.example/contact"
    private static let revocation = "https://issuer.example/iaca.crl"

    /// The root (Annex B.1.2).
    func root(_ key: PrivateKey) throws(WalletError) -> CertificateTemplate {
        var extensions: [CertificateExtension] = [
            .subjectKeyIdentifier(try key.identifier),
            .keyUsage(bits: [5, 6]),
            .basicConstraints(authority: true, pathLength: options.intermediate ? 1 : 0),
        ]
        if options.profile == .annexB {
            extensions += [
                .issuerAlternativeName(uri: Self.contact), .revocationListPoint(uri: Self.revocation),
            ]
        }
        return CertificateTemplate(
            serial: try serial(key), issuer: names.root, subject: names.root, notBefore: created.adding(days: -1),
            notAfter: created.adding(days: options.rootDays), publicKeyInfo: key.publicKeyInfo, extensions: extensions)
    }

    /// An authority under the root; ISO allows none, the field has them.
    func intermediate(_ key: PrivateKey, under rootKey: PrivateKey) throws(WalletError) -> CertificateTemplate {
        CertificateTemplate(
            serial: try serial(key), issuer: names.root, subject: names.named("Intermediate"),
            notBefore: created.adding(days: -1), notAfter: created.adding(days: options.rootDays),
            publicKeyInfo: key.publicKeyInfo,
            extensions: [
                .subjectKeyIdentifier(try key.identifier), .authorityKeyIdentifier(try rootKey.identifier),
                .keyUsage(bits: [5, 6]), .basicConstraints(authority: true, pathLength: 0),
            ])
    }

    /// A document signer with a new key, signed.
    func signer(
        _ name: String, kind: KeyKind? = nil, under intermediate: Signer?, rootKey: PrivateKey, sha1: Bool = false,
        edit: (inout CertificateTemplate) -> Void = { _ in }
    ) throws(WalletError) -> Signer {
        let key = try PrivateKey(kind ?? options.signerKind, randomness: randomness)
        var template = try signer(name, key, under: intermediate, rootKey: rootKey)
        edit(&template)
        let certificate = try template.signed(by: intermediate?.key ?? rootKey, sha1: sha1)
        return Signer(key: key, template: template, chain: [certificate] + (intermediate?.chain ?? []))
    }

    /// A document signer (Annex B.1.4).
    func signer(
        _ name: String, _ key: PrivateKey, under intermediate: Signer?, rootKey: PrivateKey
    ) throws(WalletError) -> CertificateTemplate {
        let authority = intermediate?.key ?? rootKey
        let issuer = intermediate?.template.subject ?? names.root
        var extensions: [CertificateExtension] = [
            .authorityKeyIdentifier(try authority.identifier),
            .subjectKeyIdentifier(try key.identifier),
            .keyUsage(bits: [0]),
            .extendedKeyUsage([CertificateExtension.documentSigner], critical: options.profile == .annexB),
        ]
        if options.profile == .annexB {
            extensions += [
                .issuerAlternativeName(uri: Self.contact), .revocationListPoint(uri: Self.revocation),
            ]
        }
        return CertificateTemplate(
            serial: try serial(key), issuer: options.reversedIssuerName ? issuer.reversed : issuer,
            subject: names.named(name),
            notBefore: created.adding(days: -1), notAfter: created.adding(days: options.signerDays),
            publicKeyInfo: key.publicKeyInfo, extensions: extensions)
    }

    /// 16 bytes, positive, from the key: Annex B asks for at least 63 unguessable bits and at most 20 bytes.
    private func serial(_ key: PrivateKey) throws(WalletError) -> [UInt8] {
        var bytes = Array(try LibCrypto.digest(key.publicBytes).prefix(16))
        bytes[0] = bytes[0] & 0x3F | 0x40
        return bytes
    }
}
