import WalletKit

/// The certificates of the sandbox: an authority of its own, the server's, and one for the gateway as a client.
struct Identities {
    /// How long the authority is good for.
    static let authorityDays = 3650
    /// How long the others are: as long as public servers' at most.
    static let leafDays = 397

    private static let serverAuthentication = "1.3.6.1.5.5.7.3.1"
    private static let clientAuthentication = "1.3.6.1.5.5.7.3.2"
    private static let organisation = "Sekisho Sandbox"

    let authority: (key: PrivateKey, certificate: [UInt8])
    let server: (key: PrivateKey, certificate: [UInt8])
    let client: (key: PrivateKey, certificate: [UInt8])

    /// New ones, valid from a day before `now`.
    init(at now: Moment) throws(WalletError) {
        let key = try PrivateKey(.p256)
        let name = DistinguishedName(country: "JP", organisation: Self.organisation, commonName: "Sandbox Authority")
        let root = CertificateTemplate(
            serial: Self.serial(), issuer: name, subject: name, notBefore: now.adding(days: -1),
            notAfter: now.adding(days: Self.authorityDays), publicKeyInfo: key.publicKeyInfo,
            extensions: [
                .basicConstraints(authority: true, pathLength: 0), .keyUsage(bits: [5, 6]),
                .subjectKeyIdentifier(try key.identifier),
            ])
        authority = (key, try root.signed(by: key))
        func leaf(
            _ commonName: String, _ purpose: String, _ more: [CertificateExtension]
        ) throws(WalletError) -> (key: PrivateKey, certificate: [UInt8]) {
            let own = try PrivateKey(.p256)
            let template = CertificateTemplate(
                serial: Self.serial(), issuer: name,
                subject: DistinguishedName(country: "JP", organisation: Self.organisation, commonName: commonName),
                notBefore: now.adding(days: -1), notAfter: now.adding(days: Self.leafDays),
                publicKeyInfo: own.publicKeyInfo,
                extensions: [
                    .basicConstraints(authority: false), .keyUsage(bits: [0]),
                    .extendedKeyUsage([purpose], critical: false), .subjectKeyIdentifier(try own.identifier),
                    .authorityKeyIdentifier(try key.identifier),
                ] + more)
            return (own, try template.signed(by: key))
        }
        server = try leaf(
            "localhost", Self.serverAuthentication,
            [.subjectAlternativeNames(hosts: ["localhost"], addresses: [[127, 0, 0, 1]])])
        client = try leaf("sekisho-gateway", Self.clientAuthentication, [])
    }

    /// 16 positive random bytes.
    private static func serial() -> [UInt8] {
        var bytes = Randomness.system.bytes(16)
        bytes[0] = bytes[0] & 0x3F | 0x40
        return bytes
    }
}
