import Cryptography
import Testing
import VerificationCore

@testable import Trust

struct CertificateTests {
    private let pair = TestPair()

    static let badTimes: [(String, [UInt8])] = [
        ("a fraction", DER.generalizedTime("20260101000000.5Z")),
        ("an offset", DER.generalizedTime("20260101000000+0900")),
        ("an offset in two digits of year", DER.utcTime("260101000000+0900")),
        ("no seconds", DER.utcTime("2601010000Z")),
        ("no zone", DER.generalizedTime("20260101000000")),
        ("minutes only", DER.generalizedTime("202601010000Z")),
        ("13th month", DER.utcTime("261301000000Z")),
        ("30 February", DER.utcTime("260230000000Z")),
        ("hour 24", DER.utcTime("260101240000Z")),
        ("second 60", DER.utcTime("260101000060Z")),
        ("letters", DER.utcTime("26010100000aZ")),
        ("two digits of year as the long form", DER.generalizedTime("260101000000Z")),
        ("four digits of year as the short form", DER.utcTime("20260101000000Z")),
    ]

    @Test(arguments: badTimes)
    func `T14 only the two forms of RFC 5280 are times`(_ name: String, _ time: [UInt8]) throws {
        for end in [\TestCertificate.notBefore, \TestCertificate.notAfter] {
            let der = pair.leaf { $0[keyPath: end] = time }
            #expect(throws: (any Error).self, "\(name)") { try Certificate(der: der) }
            let result = try pair.result { $0[keyPath: end] = time }
            #expect(result.failure == .issuerCertificateInvalid)
            #expect(result.signer == nil)
        }
    }

    @Test func `T14 years of two digits turn at 50`() throws {
        func end(_ time: [UInt8]) throws -> Timestamp {
            try Certificate(der: pair.leaf { $0.notAfter = time }).validity.notAfter
        }
        #expect(try end(DER.utcTime("491231235959Z")) == at("2049-12-31T23:59:59Z"))
        #expect(try end(DER.utcTime("500101000000Z")) == at("1950-01-01T00:00:00Z"))
        #expect(try end(DER.generalizedTime("20500101000000Z")) == at("2050-01-01T00:00:00Z"))
        #expect(try end(DER.generalizedTime("99991231235959Z")) == at("9999-12-31T23:59:59Z"))
        // A year 2050 in the short form is 1950, so long past.
        #expect(try pair.result { $0.notAfter = DER.utcTime("500101000000Z") }.failure == .issuerCertificateExpired)
    }

    @Test func `T05 both ends of a validity belong to it, the seconds beside them do not`() throws {
        let validity = try Certificate(der: pair.leaf()).validity
        #expect(validity.contains(at("2026-01-01T00:00:00Z")))
        #expect(!validity.contains(at("2025-12-31T23:59:59Z")))
        #expect(!validity.contains(at("2025-12-31T23:59:59.999Z")))
        #expect(validity.contains(at("2026-12-31T23:59:59Z")))
        #expect(!validity.contains(at("2026-12-31T23:59:59.001Z")))
        #expect(!validity.contains(at("2027-01-01T00:00:00Z")))
        #expect(try pair.result(at: "2026-12-31T23:59:59Z").failure == nil)
        #expect(try pair.result(at: "2027-01-01T00:00:00Z").failure == .issuerCertificateExpired)
        #expect(try pair.result(at: "2025-12-31T23:59:59Z").failure == .issuerCertificateExpired)
    }

    @Test func `every prefix of a certificate is refused, and so is every addition`() {
        let der = pair.leaf()
        for length in 0..<der.count {
            #expect(throws: CertificateError.self) { try Certificate(der: der.prefix(length)) }
        }
        #expect(throws: CertificateError.malformed) { try Certificate(der: der + [0]) }
        #expect(throws: CertificateError.malformed) { try Certificate(der: der + der) }
    }

    @Test func `a changed byte never gives a trusted signer`() throws {
        let der = pair.leaf()
        let verifier = try verifier([pair.anchor()])
        #expect(verifier.verify(chain: [der[...]], documentType: "any", at: at(TestPair.noon)).failure == nil)
        for index in der.indices {
            var changed = der
            changed[index] ^= 0x01
            let result = verifier.verify(chain: [changed[...]], documentType: "any", at: at(TestPair.noon))
            #expect(result.failure != nil, "byte \(index)")
        }
    }

    @Test func `one certificate is written in one way`() throws {
        let der = pair.leaf()
        #expect(der[1] == 0x82)
        // The outer length with a leading zero: the signature is untouched, and OpenSSL would read it.
        let longer = [0x30, 0x83, 0x00] + der[2...]
        #expect(throws: CertificateError.malformed) { try Certificate(der: longer) }
        let indefinite = [0x30, 0x80] + der[4...] + [0x00, 0x00]
        #expect(throws: CertificateError.malformed) { try Certificate(der: indefinite) }
    }

    @Test func `an extension twice is refused, sound or not`() throws {
        let der = pair.leaf { $0.extensions.append(.purposes(["1.3.6.1.5.5.7.3.1"])) }
        #expect(throws: CertificateError.duplicateExtension("2.5.29.37")) { try Certificate(der: der) }
    }

    @Test(arguments: ["2.5.29.15", "2.5.29.19", "2.5.29.37"])
    func `an extension that decides trust and cannot be read is refused`(_ identifier: String) throws {
        let der = pair.leaf {
            $0 = $0.with(TestCertificate.Extension(identifier: identifier, critical: true, value: [0x31, 0x05]))
        }
        #expect(throws: CertificateError.malformedExtension(identifier)) { try Certificate(der: der) }
    }

    @Test func `a negative path length is refused`() throws {
        let der = pair.leaf {
            $0 = $0.with(
                TestCertificate.Extension(
                    identifier: "2.5.29.19", value: DER.sequence(DER.boolean(true), DER.integer([0xFF]))))
        }
        #expect(throws: CertificateError.malformedExtension("2.5.29.19")) { try Certificate(der: der) }
    }

    @Test func `what is longer than any certificate is refused unread`() throws {
        let der = pair.leaf {
            $0.extensions.append(
                TestCertificate.Extension(
                    identifier: "1.2.3.4", value: [UInt8](repeating: 0, count: Certificate.maximumLength)))
        }
        #expect(throws: CertificateError.tooLong) { try Certificate(der: der) }
    }

    @Test func `names keep characters that are not ASCII`() throws {
        let certificate = try Certificate(
            der: pair.leaf { $0.subject = [(TestCertificate.country, "JP"), (TestCertificate.commonName, "署名,𠮷")] })
        #expect(certificate.subject.text == "CN=署名\\,𠮷,C=JP")
        #expect(certificate.subject.commonNames == ["署名,𠮷"])
        #expect(certificate.subject.countries == ["JP"])
    }

    @Test func `serial numbers of any sign and length are kept`() throws {
        func serial(_ bytes: [UInt8]) throws -> String {
            try Certificate(der: pair.leaf { $0.serial = bytes }).serialNumber
        }
        #expect(try serial([0x4B, 0x1D]) == "4b1d")
        #expect(try serial([0x00]) == "00")
        #expect(try serial([0x00, 0xFF]) == "ff")
        #expect(try serial([0xFF]) == "-01")
        #expect(try serial([0x7F] + [UInt8](repeating: 0xAB, count: 24)).count == 50)
    }

    @Test(arguments: [TestKey.Kind.p256, .p384, .p521, .ed25519, .brainpoolP256])
    func `signers and authorities may have any key that Annex B allows`(_ kind: TestKey.Kind) throws {
        let (rootKey, signerKey) = (TestKey(kind), TestKey(kind))
        let anchor = try TrustAnchor(
            certificate: TestCertificate.root(key: rootKey).certificate(key: rootKey, signer: rootKey), source: "root")
        let leaf = TestCertificate.signer(key: signerKey, issuer: rootKey).der(key: signerKey, signer: rootKey)
        let result = try verifier([anchor]).verify(chain: [leaf[...]], documentType: "any", at: at(TestPair.noon))
        #expect(result.failure == nil)
        switch result.signer?.publicKey {
        case .ec(let key): #expect(key.uncompressed == signerKey.bits)
        case .ed25519(let key): #expect(key.raw == signerKey.bits)
        case .unsupported: #expect(kind == .brainpoolP256)
        case nil: Issue.record("no signer")
        }
    }
}
