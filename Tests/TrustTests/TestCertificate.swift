import Testing
import VerificationCore

@testable import Trust

/// The description of a certificate that a test wants; every part can be made wrong.
struct TestCertificate {
    struct Extension {
        var identifier: String
        var critical = false
        var value: [UInt8]
    }

    var version = 3
    var serial: [UInt8] = [0x4B, 0x1D]
    var subject: [(String, String)] = [(country, "JP"), (commonName, "Test Signer")]
    var issuer: [(String, String)] = [(country, "JP"), (commonName, "Test IACA")]
    var notBefore = DER.utcTime("260101000000Z")
    var notAfter = DER.utcTime("261231235959Z")
    var extensions: [Extension] = []
    var usesSHA1 = false

    static let country = "2.5.4.6"
    static let state = "2.5.4.8"
    static let commonName = "2.5.4.3"

    /// A document signer that keeps Annex B in full.
    static func signer(key: TestKey, issuer: TestKey) -> TestCertificate {
        var made = TestCertificate()
        made.extensions = [
            .keyUsage(0), .purposes(["1.0.18013.5.1.2"]), .subjectKey(key.identifier), .authorityKey(issuer.identifier),
            .issuerNames([.uri("https://iaca.example")]), .points(["https://iaca.example/crl"]),
        ]
        return made
    }

    /// An IACA root that keeps Annex B in full.
    static func root(key: TestKey, pathLength: Int? = 0) -> TestCertificate {
        var made = TestCertificate()
        made.subject = made.issuer
        made.notBefore = DER.utcTime("250101000000Z")
        made.notAfter = DER.utcTime("341231235959Z")
        made.extensions = [
            .keyUsage(5, 6), .constraints(authority: true, pathLength: pathLength), .subjectKey(key.identifier),
            .issuerNames([.uri("https://iaca.example")]),
        ]
        return made
    }

    /// Replaces the extension of the same identifier, or adds it.
    func with(_ item: Extension) -> TestCertificate {
        var made = without(item.identifier)
        made.extensions.append(item)
        return made
    }

    func without(_ identifier: String) -> TestCertificate {
        var made = self
        made.extensions.removeAll { $0.identifier == identifier }
        return made
    }

    func changed(_ change: (inout TestCertificate) -> Void) -> TestCertificate {
        var made = self
        change(&made)
        return made
    }

    /// The DER of the certificate for `key`, signed by `signer`.
    func der(key: TestKey, signer: TestKey) -> [UInt8] {
        let algorithm = signer.algorithm(sha1: usesSHA1)
        let items = extensions.flatMap { item in
            DER.sequence(DER.oid(item.identifier), item.critical ? DER.boolean(true) : [], DER.octets(item.value))
        }
        let signed = DER.sequence(
            version == 1 ? [] : DER.explicit(0, DER.integer(version - 1)), DER.integer(serial), algorithm,
            DER.name(issuer), DER.sequence(notBefore, notAfter), DER.name(subject), key.information,
            extensions.isEmpty ? [] : DER.explicit(3, DER.tagged(0x30, items)))
        return DER.sequence(signed, algorithm, DER.bits(signer.sign(signed, sha1: usesSHA1)))
    }

    func certificate(key: TestKey, signer: TestKey) throws -> Certificate {
        try Certificate(der: der(key: key, signer: signer))
    }
}

extension TestCertificate.Extension {
    typealias Extension = TestCertificate.Extension

    static func keyUsage(_ bits: Int..., critical: Bool = true) -> Extension {
        let highest = bits.max() ?? 0
        var bytes = [UInt8](repeating: 0, count: highest / 8 + 1)
        for bit in bits { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return Extension(
            identifier: "2.5.29.15", critical: critical,
            value: DER.bits(bytes, unused: UInt8(7 - highest % 8)))
    }

    static func purposes(_ identifiers: [String], critical: Bool = true) -> Extension {
        Extension(
            identifier: "2.5.29.37", critical: critical, value: DER.tagged(0x30, identifiers.flatMap { DER.oid($0) }))
    }

    static func constraints(authority: Bool, pathLength: Int? = nil, critical: Bool = true) -> Extension {
        Extension(
            identifier: "2.5.29.19", critical: critical,
            value: DER.sequence(
                authority ? DER.boolean(true) : [], pathLength.map { DER.integer($0) } ?? []))
    }

    static func subjectKey(_ identifier: [UInt8]) -> Extension {
        Extension(identifier: "2.5.29.14", value: DER.octets(identifier))
    }

    static func authorityKey(_ identifier: [UInt8]?, issuer: [UInt8] = []) -> Extension {
        Extension(
            identifier: "2.5.29.35",
            value: DER.sequence(identifier.map { DER.implicit(0, $0) } ?? [], issuer))
    }

    static func issuerNames(_ names: [GeneralName], critical: Bool = false) -> Extension {
        Extension(identifier: "2.5.29.18", critical: critical, value: DER.tagged(0x30, names.flatMap(encoded)))
    }

    static func points(_ uris: [String], reasons: Bool = false, issuer: Bool = false) -> Extension {
        let names = uris.flatMap { encoded(.uri($0)) }
        return Extension(
            identifier: "2.5.29.31",
            value: DER.sequence(
                DER.sequence(
                    DER.explicit(0, DER.explicit(0, names)), reasons ? DER.implicit(1, [0x01, 0x60]) : [],
                    issuer ? DER.explicit(2, DER.explicit(4, DER.name([("2.5.4.3", "Other")]))) : [])))
    }

    static func encoded(_ name: GeneralName) -> [UInt8] {
        switch name {
        case .email(let text): DER.implicit(1, Array(text.utf8))
        case .dns(let text): DER.implicit(2, Array(text.utf8))
        case .uri(let text): DER.implicit(6, Array(text.utf8))
        case .other: DER.implicit(7, [127, 0, 0, 1])
        }
    }
}

/// One authority and one signer under it, that keep Annex B in full.
struct TestPair {
    let rootKey = TestKey()
    let signerKey = TestKey()

    var root: TestCertificate { .root(key: rootKey) }
    var signer: TestCertificate { .signer(key: signerKey, issuer: rootKey) }

    func anchor(_ change: (inout TestCertificate) -> Void = { _ in }) throws -> TrustAnchor {
        let certificate = try root.changed(change).certificate(key: rootKey, signer: rootKey)
        return try TrustAnchor(certificate: certificate, source: "root")
    }

    func leaf(_ change: (inout TestCertificate) -> Void = { _ in }) -> [UInt8] {
        signer.changed(change).der(key: signerKey, signer: rootKey)
    }

    func result(
        profile: CertificateProfile = .basic, at time: String = TestPair.noon,
        _ change: (inout TestCertificate) -> Void = { _ in }
    ) throws -> SignerResult {
        try verifier([anchor()], profile: profile).verify(
            chain: [leaf(change)[...]], documentType: "any", at: at(time))
    }

    static let noon = "2026-06-15T12:00:00Z"
}

func at(_ text: String) -> Timestamp { RFC3339.timestamp(text)! }

func verifier(
    _ anchors: [TrustAnchor], profile: CertificateProfile = .basic, revocation: RevocationSources? = nil,
    at time: String = TestPair.noon
) throws -> SignerVerifier {
    SignerVerifier(trust: try TrustStore(anchors: anchors, at: at(time)), profile: profile, revocation: revocation)
}
