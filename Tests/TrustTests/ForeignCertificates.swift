import Cryptography
import TestSupport
import Testing
import VerificationCore

@testable import Trust

/// Certificates from outside: Apple's sample, the standard's example, and what others use in the field.
enum Foreign {
    static func pem(_ path: String) throws -> [[UInt8]] {
        try PEM.blocks(try Vectors.bytes(path)).map(\.bytes)
    }

    static func certificate(pem path: String) throws -> Certificate {
        try Certificate(der: try #require(try pem(path).first))
    }

    /// The certificates in AAMVA's signed list: each stands behind the text key `certificate` as a byte string.
    static func listed() throws -> [[UInt8]] {
        let list = try Vectors.bytes("iaca/aamva-vical-2025-11-18.cbor")
        let mark = [0x6B] + Array("certificate".utf8) + [0x59]
        return list.indices.dropLast(mark.count + 2).filter { list[$0...].starts(with: mark) }.map { start in
            let length = start + mark.count
            return Array(list[(length + 2)..<(length + 2 + Int(list[length]) << 8 + Int(list[length + 1]))])
        }
    }
}

@Suite(.enabled(if: Vectors.available("apple/sample/issuer_root.crt")))
struct ForeignCertificateTests {
    @Test func `Apple's sample signer is trusted under Apple's sample root`() throws {
        let root = try Foreign.certificate(pem: "apple/sample/issuer_root.crt")
        let signer = try #require(try Foreign.pem("apple/sample/issuer_signing.crt").first)
        let anchor = try TrustAnchor(certificate: root, source: "issuer_root.crt")
        let verifier = try verifier([anchor], at: "2022-06-01T00:00:00Z")
        func result(_ time: String) -> SignerResult {
            verifier.verify(chain: [signer[...]], documentType: "org.iso.18013.5.1.mDL", at: at(time))
        }
        let good = result("2022-06-01T00:00:00Z")
        #expect(good.failure == nil)
        #expect(good.revocation == .notConfigured)
        #expect(good.anchor?.certificate == root)
        #expect(good.signer?.subject.text == "CN=PassKit Identity Test Document Signing")
        #expect(good.signer?.keyAlgorithm == .p256)
        // The same second before the certificate begins, and after it ends.
        #expect(result("2022-03-31T20:36:14Z").failure == nil)
        #expect(result("2022-03-31T20:36:13Z").failure == .issuerCertificateExpired)
        #expect(result("2121-03-07T20:36:14Z").failure == nil)
        #expect(result("2121-03-07T20:36:15Z").failure == .issuerCertificateExpired)
        Vectors.ran(1, of: "apple sample signer")
    }

    @Test func `Apple's sample signer breaks Annex B`() throws {
        let signer = try Foreign.certificate(pem: "apple/sample/issuer_signing.crt")
        let problems = CertificateProfile.iso18013_5.problems(ofSigner: signer, at: at("2022-06-01T00:00:00Z"))
        #expect(
            Set(problems) == [
                .validityTooLong, .keyUsage, .extendedKeyUsage, .distributionPoint, .issuerAlternativeName, .country,
            ])
    }

    @Test func `the standard's example chains to its root inside its dates`() throws {
        let root = try Certificate(der: try Vectors.bytes("iso18013-5/annex_d/iaca.der"))
        let signer = try #require(ByteText.bytes(hex: try Vectors.text("iso18013-5/annex_d/ds_cert.hex")))
        let anchor = try TrustAnchor(certificate: root, source: "iaca.der")
        let verifier = try verifier([anchor], at: "2021-01-01T00:00:00Z")
        let good = verifier.verify(chain: [signer[...]], documentType: "any", at: at("2021-01-01T00:00:00Z"))
        #expect(good.failure == nil)
        // As expected.json has it, independently made.
        #expect(good.signer?.subject.text == "C=US,CN=utopia ds")
        #expect(good.signer?.issuer.text == "C=US,CN=utopia iaca")
        #expect(good.signer?.validity.notAfter == at("2021-10-01T00:00:00Z"))
        let late = verifier.verify(chain: [signer[...]], documentType: "any", at: at("2021-10-01T00:00:01Z"))
        #expect(late.failure == .issuerCertificateExpired)
        #expect(late.signer == good.signer)
        // Its distribution point is a DNS name, which Annex B does not know.
        let problems = CertificateProfile.iso18013_5.problems(
            ofSigner: try #require(good.signer), at: at("2021-01-01T00:00:00Z"))
        #expect(problems == [.distributionPoint])
        Vectors.ran(1, of: "annex D signer")
    }

    @Test func `X11 isomdl's signer that is an authority is refused`() throws {
        let root = try Foreign.certificate(pem: "iaca/isomdl_iaca_root_cert.pem")
        let wrong = try #require(try Foreign.pem("iaca/isomdl_incorrect_iaca_signer.pem").first)
        let anchor = try TrustAnchor(certificate: root, source: "root")
        let verifier = try verifier([anchor], at: "2024-01-01T00:00:00Z")
        let result = verifier.verify(chain: [wrong[...]], documentType: "any", at: at("2024-01-01T00:00:00Z"))
        #expect(result.failure == .issuerCertificateInvalid)
        #expect(result.problems.contains(.isAuthority))
        #expect(result.signer != nil)
        Vectors.ran(1, of: "isomdl incorrect signer")
    }

    @Test func `multipaz's pair on P-384 keeps Annex B in full`() throws {
        let root = try Foreign.certificate(pem: "iaca/owf_multipaz_iaca_p384.pem")
        let signer = try #require(try Foreign.pem("iaca/owf_multipaz_ds_p384.pem").first)
        let anchor = try TrustAnchor(certificate: root, source: "root", profile: .iso18013_5)
        let now = try Certificate(der: signer).validity.notBefore
        let store = try TrustStore(anchors: [anchor], at: now)
        for profile in CertificateProfile.allCases {
            let result = SignerVerifier(trust: store, profile: profile).verify(
                chain: [signer[...]], documentType: "any", at: now)
            #expect(result.failure == nil, "\(profile) \(result.problems)")
            #expect(result.signer?.publicKey.isEC == true)
        }
        Vectors.ran(1, of: "multipaz P-384 pair")
    }

    @Test func `AAMVA's issuing authority chains to its root, and neither is a signer`() throws {
        let root = try Foreign.certificate(pem: "iaca/aamva_ca_root.crt")
        let issuing = try Foreign.certificate(pem: "iaca/aamva_ca_intermediate.crt")
        #expect(root.issued(issuing))
        #expect(!issuing.issued(root))
        let anchor = try TrustAnchor(certificate: root, source: "root")
        let result = try verifier([anchor]).verify(
            chain: [issuing.der[...]], documentType: "any", at: at(TestPair.noon))
        #expect(result.failure == .issuerCertificateInvalid)
        #expect(Set(result.problems) == [.isAuthority, .extendedKeyUsage])
        Vectors.ran(2, of: "AAMVA authorities")
    }

    @Test func `X19 the signer of AAMVA's list has a chain of three that ends at an anchor`() throws {
        let list = try Vectors.bytes("iaca/aamva-vical-2025-11-18.cbor")
        // 84 | 43 protected | a1 1821 83 | 59 03ff certificate …
        var chain: [ArraySlice<UInt8>] = []
        var cursor = 9
        for _ in 0..<3 {
            let length = Int(list[cursor + 1]) << 8 + Int(list[cursor + 2])
            chain.append(list[(cursor + 3)..<(cursor + 3 + length)])
            cursor += 3 + length
        }
        let root = try Foreign.certificate(pem: "iaca/aamva_ca_root.crt")
        let anchor = try TrustAnchor(certificate: root, source: "root")
        let result = try verifier([anchor]).verify(chain: chain, documentType: "any", at: at("2025-12-01T00:00:00Z"))
        // It signs lists, not documents: the path is sound up to that.
        #expect(result.failure == .issuerCertificateInvalid)
        #expect(Set(result.problems) == [.keyUsage, .extendedKeyUsage])
        #expect(result.anchor?.certificate == root)
        Vectors.ran(3, of: "VICAL signer chain")
    }

    @Test func `every certificate of AAMVA's list can be read, and is an anchor`() throws {
        let listed = try Foreign.listed()
        #expect(listed.count == 14)
        for der in listed {
            let certificate = try Certificate(der: der)
            #expect(certificate.isAuthority)
            #expect(throws: Never.self) { try TrustAnchor(certificate: certificate, source: "list") }
            #expect(!certificate.subject.text.isEmpty)
        }
        // Several authorities share one name with different keys.
        let certificates = try listed.map { try Certificate(der: $0) }
        let names = Dictionary(grouping: certificates, by: \.subject)
        #expect(names.values.contains { $0.count > 1 })
        Vectors.ran(listed.count, of: "VICAL certificates")
    }

    @Test func `test certificates of others are untrusted and still parsed`() throws {
        let root = try Foreign.certificate(pem: "apple/sample/issuer_root.crt")
        let verifier = try verifier([try TrustAnchor(certificate: root, source: "root")])
        let paths = [
            "realworld/auth0-mdl/issuer.pem", "realworld/bdr-test-mdl/issuerCertificate.pem",
            "realworld/google-test-mdl/signingCertificate.pem",
        ]
        for path in paths {
            let leaf = try #require(try Foreign.pem(path).first)
            let result = verifier.verify(chain: [leaf[...]], documentType: "any", at: at("2025-06-01T00:00:00Z"))
            #expect(result.failure == .issuerUntrusted)
            #expect(result.signer?.publicKey.isEC == true)
            #expect(result.anchor == nil)
        }
        Vectors.ran(paths.count, of: "untrusted signers")
    }
}

extension SubjectPublicKey {
    var isEC: Bool {
        switch self {
        case .ec: true
        case .ed25519, .unsupported: false
        }
    }
}
