@testable import Trust

/// The description of a CRL that a test wants.
struct TestList {
    var issuer = TestCertificate().issuer
    var thisUpdate = DER.utcTime("260601000000Z")
    var nextUpdate: [UInt8]? = DER.utcTime("260701000000Z")
    var serials: [[UInt8]] = []
    var entryExtensions: [TestCertificate.Extension] = []
    var extensions: [TestCertificate.Extension] = []
    var usesSHA1 = false

    func der(signer: TestKey) -> [UInt8] {
        func encoded(_ items: [TestCertificate.Extension]) -> [UInt8] {
            DER.tagged(
                0x30,
                items.flatMap { item in
                    DER.sequence(
                        DER.oid(item.identifier), item.critical ? DER.boolean(true) : [], DER.octets(item.value))
                })
        }
        let algorithm = signer.algorithm(sha1: usesSHA1)
        let entries = serials.flatMap { serial in
            DER.sequence(
                DER.integer(serial), DER.utcTime("260602000000Z"),
                entryExtensions.isEmpty ? [] : encoded(entryExtensions))
        }
        let signed = DER.sequence(
            DER.integer(1), algorithm, DER.name(issuer), thisUpdate, nextUpdate ?? [],
            serials.isEmpty ? [] : DER.tagged(0x30, entries),
            extensions.isEmpty ? [] : DER.explicit(0, encoded(extensions)))
        return DER.sequence(signed, algorithm, DER.bits(signer.sign(signed, sha1: usesSHA1)))
    }

    func list(signer: TestKey) throws -> RevocationList {
        try RevocationList(der: der(signer: signer), source: "list.crl")
    }

    /// An issuing distribution point with these fields.
    static func scope(_ fields: [UInt8]...) -> TestCertificate.Extension {
        TestCertificate.Extension(
            identifier: "2.5.29.28", critical: true, value: DER.tagged(0x30, fields.flatMap(\.self)))
    }
}
