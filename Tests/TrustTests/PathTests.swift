import Testing
import VerificationCore

@testable import Trust

struct PathTests {
    private let pair = TestPair()

    private func verify(
        _ chain: [[UInt8]], _ anchors: [TrustAnchor]? = nil, profile: CertificateProfile = .basic
    ) throws -> SignerResult {
        try verifier(try anchors ?? [pair.anchor()], profile: profile).verify(
            chain: chain.map { $0[...] }, documentType: "any", at: at(TestPair.noon))
    }

    private var root: [UInt8] { pair.root.der(key: pair.rootKey, signer: pair.rootKey) }

    @Test func `the reasons come in their order`() throws {
        let stranger = TestPair()
        #expect(try verify([]).failure == .issuerCertificateMissing)
        #expect(try verify([]).signer == nil)
        #expect(try verify([[]]).failure == .issuerCertificateInvalid)
        #expect(try verify([[0x30, 0x00]]).failure == .issuerCertificateInvalid)
        #expect(try verify([[UInt8](repeating: 0x5A, count: 500)]).signer == nil)
        // No anchor comes before everything that is wrong with the certificate itself.
        let unknown = try verify([stranger.leaf { $0.notAfter = DER.utcTime("260301000000Z") }])
        #expect(unknown.failure == .issuerUntrusted)
        #expect(unknown.problems == [.expired])
        #expect(unknown.signer != nil)
        // Dates come before the rest.
        let both = try verify([
            pair.leaf {
                $0.notAfter = DER.utcTime("260301000000Z")
                $0 = $0.without("2.5.29.37")
            }
        ])
        #expect(both.failure == .issuerCertificateExpired)
        #expect(Set(both.problems) == [.expired, .extendedKeyUsage])
        #expect(try verify([pair.leaf { $0 = $0.without("2.5.29.37") }]).failure == .issuerCertificateInvalid)
    }

    @Test func `C03 x5chain as one, two and more certificates, the signer first`() throws {
        let leaf = pair.leaf()
        #expect(try verify([leaf]).failure == nil)
        #expect(try verify([leaf, root]).failure == nil)
        #expect(try verify([leaf, leaf]).failure == nil)
        #expect(try verify([root, leaf]).failure == .issuerCertificateInvalid)
        #expect(try verify([leaf, []]).failure == nil)
        #expect(try verify([leaf, [0x5A]]).failure == nil)
        #expect(try verify([[], leaf]).failure == .issuerCertificateInvalid)
        let fifty = try verify([[UInt8]](repeating: leaf, count: 50))
        #expect(fifty.failure == .issuerCertificateInvalid)
        #expect(fifty.signer != nil)
        #expect(try verify([[UInt8]](repeating: leaf, count: SignerVerifier.maximumChainLength)).failure == nil)
    }

    @Test func `X19 a root inside x5chain is never trusted, whatever it is called`() throws {
        // The attacker copies the name and the key identifier of the real root.
        let attacker = TestPair()
        let forgedRoot = attacker.root.with(.subjectKey(pair.rootKey.identifier))
            .der(key: attacker.rootKey, signer: attacker.rootKey)
        let forged = attacker.leaf { $0 = $0.with(.authorityKey(pair.rootKey.identifier)) }
        for chain in [[forged], [forged, forgedRoot], [forged, root], [forged, forgedRoot, root]] {
            let result = try verify(chain)
            #expect(result.failure == .issuerUntrusted)
            #expect(result.anchor == nil)
            #expect(result.revocation == .notConfigured)
        }
        // And a genuine signer is not harmed by what an attacker appends.
        #expect(try verify([pair.leaf(), forgedRoot]).failure == nil)
        #expect(try verify([pair.leaf(), TestPair().leaf()]).failure == nil)
    }

    @Test func `X19 a self-signed signer is untrusted, and still parsed`() throws {
        let key = TestKey()
        let lone = TestCertificate.signer(key: key, issuer: key).der(key: key, signer: key)
        let result = try verify([lone])
        #expect(result.failure == .issuerUntrusted)
        #expect(result.signer?.publicKey.isEC == true)
    }

    @Test func `X19 a root with an anchor's key under another certificate adds nothing`() throws {
        // The same key, certified anew by itself with other dates: the signer is judged by the anchor alone.
        let other = pair.root.changed { $0.notAfter = DER.utcTime("260601000000Z") }
            .der(key: pair.rootKey, signer: pair.rootKey)
        #expect(try verify([pair.leaf(), other]).failure == nil)
        let expired = try pair.anchor { $0.notAfter = DER.utcTime("260601000000Z") }
        #expect(try verify([pair.leaf(), root], [expired, TestPair().anchor()]).failure == .issuerCertificateExpired)
    }

    @Test func `several anchors with one name and one key identifier are all tried`() throws {
        let identifier = pair.rootKey.identifier
        let twins = try (0..<3).map { _ in try TestPair().anchor { $0 = $0.with(.subjectKey(identifier)) } }
        for position in 0...twins.count {
            var anchors = twins
            anchors.insert(try pair.anchor(), at: position)
            let result = try verify([pair.leaf()], anchors)
            #expect(result.failure == nil)
            #expect(result.anchor?.certificate.keyIdentifier == identifier)
        }
        #expect(try verify([pair.leaf()], twins).failure == .issuerUntrusted)
    }

    @Test func `an issuer's name in reversed order, or another, changes nothing`() throws {
        #expect(try verify([pair.leaf { $0.issuer.reverse() }]).failure == nil)
        #expect(try verify([pair.leaf { $0.issuer = [("2.5.4.3", "Somebody else")] }]).failure == nil)
        #expect(try verify([pair.leaf { $0.issuer.reverse() }], profile: .iso18013_5).failure == nil)
    }

    /// A root without path length, an authority under it, and a signer under that.
    private struct Three {
        let rootKey = TestKey()
        let middleKey = TestKey(.p384)
        let signerKey = TestKey()

        func anchor(pathLength: Int? = nil) throws -> TrustAnchor {
            let root = TestCertificate.root(key: rootKey, pathLength: pathLength)
            return try TrustAnchor(certificate: root.certificate(key: rootKey, signer: rootKey), source: "root")
        }

        func middle(_ change: (inout TestCertificate) -> Void = { _ in }) -> [UInt8] {
            TestCertificate.root(key: middleKey).changed {
                $0.subject = [("2.5.4.3", "Middle")]
                change(&$0)
            }.der(key: middleKey, signer: rootKey)
        }

        var leaf: [UInt8] {
            TestCertificate.signer(key: signerKey, issuer: middleKey).changed { $0.issuer = [("2.5.4.3", "Middle")] }
                .der(key: signerKey, signer: middleKey)
        }
    }

    @Test func `an authority between the signer and the anchor is followed`() throws {
        let three = Three()
        let anchors = [try three.anchor()]
        #expect(try verify([three.leaf, three.middle()], anchors).failure == nil)
        #expect(try verify([three.leaf], anchors).failure == .issuerUntrusted)
        #expect(try verify([three.leaf, TestPair().leaf()], anchors).failure == .issuerUntrusted)
        #expect(try verify([three.leaf, [0x5A], three.middle(), root], anchors).failure == nil)
        #expect(try verify([three.leaf, three.middle()]).failure == .issuerUntrusted)
        // It may be an anchor itself.
        let middle = try TrustAnchor(certificate: Certificate(der: three.middle()), source: "middle")
        #expect(try verify([three.leaf], [middle]).failure == nil)
        // Annex B knows none between.
        let strict = try verify([three.leaf, three.middle()], anchors, profile: .iso18013_5)
        #expect(strict.failure == .issuerCertificateInvalid)
        #expect(strict.problems.contains(.intermediate))
    }

    @Test func `each authority of a path is checked`() throws {
        let three = Three()
        let anchors = [try three.anchor()]
        func problems(_ change: (inout TestCertificate) -> Void) throws -> [CertificateProblem] {
            let result = try verify([three.leaf, three.middle(change)], anchors)
            #expect(
                result.failure
                    == (result.problems == [.expired] ? .issuerCertificateExpired : .issuerCertificateInvalid))
            return result.problems
        }
        #expect(try problems { $0 = $0.with(.constraints(authority: false)) } == [.notAuthority])
        #expect(try problems { $0 = $0.without("2.5.29.19") } == [.notAuthority])
        #expect(try problems { $0 = $0.with(.keyUsage(0)) } == [.keyUsage])
        #expect(try problems { $0 = $0.without("2.5.29.15") } == [.keyUsage])
        #expect(try problems { $0.notAfter = DER.utcTime("260601000000Z") } == [.expired])
        #expect(try problems { $0.usesSHA1 = true } == [.signatureAlgorithm])
        let unknown = TestCertificate.Extension(identifier: "1.2.3.4", critical: true, value: [0x05, 0x00])
        #expect(try problems { $0 = $0.with(unknown) } == [.unknownCriticalExtension])
        // The anchor allows none below it.
        let closed = try verify([three.leaf, three.middle()], [try three.anchor(pathLength: 0)])
        #expect(closed.failure == .issuerCertificateInvalid)
        #expect(closed.problems == [.pathLength])
        #expect(try verify([three.leaf, three.middle()], [try three.anchor(pathLength: 1)]).failure == nil)
    }

    @Test func `X11 a signer cannot vouch for another`() throws {
        let second = TestKey()
        let child = TestCertificate.signer(key: second, issuer: pair.signerKey).der(key: second, signer: pair.signerKey)
        let result = try verify([child, pair.leaf()])
        #expect(result.failure == .issuerCertificateInvalid)
        #expect(Set(result.problems) == [.notAuthority, .keyUsage, .pathLength])
    }

    @Test func `of several paths a sound one is enough`() throws {
        let three = Three()
        let broken = three.middle { $0.notAfter = DER.utcTime("260601000000Z") }
        let anchors = [try three.anchor()]
        #expect(try verify([three.leaf, broken, three.middle()], anchors).failure == nil)
        #expect(try verify([three.leaf, three.middle(), broken], anchors).failure == nil)
    }

    @Test func `certificates that vouch for each other end the search`() throws {
        // Four authorities with one key, all self-signed: every one signs every other.
        let key = TestKey()
        let circle = (0..<4).map { number in
            TestCertificate.root(key: key, pathLength: nil).changed { $0.serial = [UInt8(number + 1)] }
                .der(key: key, signer: key)
        }
        let signer = TestKey()
        let leaf = TestCertificate.signer(key: signer, issuer: key).der(key: signer, signer: key)
        #expect(try verify([leaf] + circle).failure == .issuerUntrusted)
    }
}
