import Testing
import VerificationCore

@testable import Trust

struct ProfileTests {
    private let pair = TestPair()

    @Test func `a pair that keeps Annex B passes both profiles`() throws {
        for profile in CertificateProfile.allCases {
            let result = try pair.result(profile: profile)
            #expect(result.failure == nil, "\(profile): \(result.problems)")
            #expect(result.problems.isEmpty)
        }
    }

    private func basicProblems(_ change: (inout TestCertificate) -> Void) throws -> [CertificateProblem] {
        let result = try pair.result(change)
        #expect(result.signer != nil)
        #expect((result.failure == nil) == result.problems.isEmpty)
        return result.problems
    }

    @Test(arguments: ["1.2.3.4", "2.5.29.30", "2.5.29.54", "2.5.29.32", "2.5.29.36"])
    func `X05 an unknown critical extension of the signer is refused, the same not critical is not`(
        _ identifier: String
    ) throws {
        let critical = TestCertificate.Extension(identifier: identifier, critical: true, value: [0x05, 0x00])
        #expect(try basicProblems { $0 = $0.with(critical) } == [.unknownCriticalExtension])
        #expect(try pair.result { $0 = $0.with(critical) }.failure == .issuerCertificateInvalid)
        let plain = TestCertificate.Extension(identifier: identifier, critical: false, value: [0x05, 0x00])
        #expect(try basicProblems { $0 = $0.with(plain) }.isEmpty)
    }

    @Test(arguments: ["1.2.3.4", "2.5.29.30"])
    func `X05 an unknown critical extension of an authority is refused`(_ identifier: String) throws {
        let critical = TestCertificate.Extension(identifier: identifier, critical: true, value: [0x30, 0x00])
        #expect(throws: TrustProblem(path: "root", fault: .unsuitable([.unknownCriticalExtension]))) {
            try pair.anchor { $0 = $0.with(critical) }
        }
    }

    @Test func `X11 a signer that is an authority is refused`() throws {
        #expect(try basicProblems { $0 = $0.with(.constraints(authority: true, pathLength: 0)) } == [.isAuthority])
        #expect(try basicProblems { $0 = $0.with(.constraints(authority: false)) }.isEmpty)
    }

    @Test func `X11 a signer needs the document signer's purpose`() throws {
        #expect(try basicProblems { $0 = $0.without("2.5.29.37") } == [.extendedKeyUsage])
        let wrong = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0", "1.0.18013.5.1.6", "1.0.18013.5.1.8", "1.0.18013.5.1.21"]
        for purpose in wrong {
            #expect(try basicProblems { $0 = $0.with(.purposes([purpose])) } == [.extendedKeyUsage], "\(purpose)")
        }
        // Criticality, and what else is there, is the profile's concern.
        #expect(try basicProblems { $0 = $0.with(.purposes(["1.0.18013.5.1.2"], critical: false)) }.isEmpty)
        #expect(try basicProblems { $0 = $0.with(.purposes(["1.3.6.1.5.5.7.3.1", "1.0.18013.5.1.2"])) }.isEmpty)
    }

    @Test func `X11 a signer needs the key usage for signatures`() throws {
        #expect(try basicProblems { $0 = $0.without("2.5.29.15") } == [.keyUsage])
        #expect(try basicProblems { $0 = $0.with(.keyUsage(4)) } == [.keyUsage])
        #expect(try basicProblems { $0 = $0.with(.keyUsage(5, 6)) } == [.keyUsage])
        #expect(try basicProblems { $0 = $0.with(.keyUsage(0, 1)) }.isEmpty)
        #expect(try basicProblems { $0 = $0.with(.keyUsage(0, critical: false)) }.isEmpty)
    }

    @Test func `a signature with SHA-1 is refused although it verifies`() throws {
        #expect(try basicProblems { $0.usesSHA1 = true } == [.signatureAlgorithm])
    }

    @Test func `a certificate without extensions is no signer`() throws {
        let problems = try basicProblems {
            $0.version = 1
            $0.extensions = []
        }
        #expect(Set(problems) == [.version, .keyUsage, .extendedKeyUsage])
    }

    @Test func `X04 the issuer and serial of an authority key identifier decide nothing`() throws {
        let wrongSerial = DER.explicit(1, DER.explicit(4, DER.name([("2.5.4.3", "Another")]))) + DER.implicit(2, [9])
        let right = pair.rootKey.identifier
        #expect(try pair.result { $0 = $0.with(.authorityKey(right, issuer: wrongSerial)) }.failure == nil)
        #expect(try pair.result { $0 = $0.with(.authorityKey(nil, issuer: wrongSerial)) }.failure == nil)
        #expect(try pair.result { $0 = $0.without("2.5.29.35") }.failure == nil)
        #expect(try pair.result { $0 = $0.with(.authorityKey([1, 2, 3])) }.failure == nil)
        // Annex B wants the identifier itself.
        let strict = try pair.result(profile: .iso18013_5) { $0 = $0.with(.authorityKey(right, issuer: wrongSerial)) }
        #expect(strict.failure == nil)
        let absent = try pair.result(profile: .iso18013_5) { $0 = $0.without("2.5.29.35") }
        #expect(absent.failure == .issuerCertificateInvalid)
        #expect(absent.problems == [.authorityKeyIdentifier])
    }

    struct AnnexBCase: Sendable, CustomTestStringConvertible {
        let name: String
        let problem: CertificateProblem
        let change: @Sendable (TestCertificate) -> TestCertificate

        var testDescription: String { name }

        init(
            _ name: String, _ problem: CertificateProblem,
            _ change: @escaping @Sendable (TestCertificate) -> TestCertificate
        ) {
            (self.name, self.problem, self.change) = (name, problem, change)
        }
    }

    static let signerCases: [AnnexBCase] = [
        AnnexBCase("458 days", .validityTooLong) { signer in
            signer.changed { $0.notAfter = DER.utcTime("270404000000Z") }
        },
        AnnexBCase("more key usage", .keyUsage) { $0.with(.keyUsage(0, 1)) },
        AnnexBCase("key usage not critical", .keyUsage) { $0.with(.keyUsage(0, critical: false)) },
        AnnexBCase("more purposes", .extendedKeyUsage) {
            $0.with(.purposes(["1.0.18013.5.1.2", "1.3.6.1.5.5.7.3.1"]))
        },
        AnnexBCase("purposes not critical", .extendedKeyUsage) {
            $0.with(.purposes(["1.0.18013.5.1.2"], critical: false))
        },
        AnnexBCase("no subject key identifier", .subjectKeyIdentifier) { $0.without("2.5.29.14") },
        AnnexBCase("another subject key identifier", .subjectKeyIdentifier) { $0.with(.subjectKey([1, 2, 3])) },
        AnnexBCase("another authority key identifier", .authorityKeyIdentifier) { $0.with(.authorityKey([1, 2, 3])) },
        AnnexBCase("no issuer names", .issuerAlternativeName) { $0.without("2.5.29.18") },
        AnnexBCase("critical issuer names", .issuerAlternativeName) {
            $0.with(.issuerNames([.uri("https://iaca.example")], critical: true))
        },
        AnnexBCase("issuer names of another kind", .issuerAlternativeName) {
            $0.with(.issuerNames([.dns("iaca.example")]))
        },
        AnnexBCase("no distribution point", .distributionPoint) { $0.without("2.5.29.31") },
        AnnexBCase("distribution point with reasons", .distributionPoint) {
            $0.with(.points(["https://iaca.example/crl"], reasons: true))
        },
        AnnexBCase("distribution point with an issuer", .distributionPoint) {
            $0.with(.points(["https://iaca.example/crl"], issuer: true))
        },
        AnnexBCase("distribution point without a URI", .distributionPoint) { $0.with(.points([])) },
        AnnexBCase("no common name", .commonName) { signer in
            signer.changed { $0.subject = [(TestCertificate.country, "JP")] }
        },
        AnnexBCase("no country", .country) { signer in
            signer.changed { $0.subject = [(TestCertificate.commonName, "Signer")] }
        },
        AnnexBCase("country in lower case", .country) { signer in
            signer.changed { $0.subject[0].1 = "jp" }
        },
        AnnexBCase("another country than the root's", .country) { signer in
            signer.changed { $0.subject[0].1 = "US" }
        },
        AnnexBCase("another state than the root's", .state) { signer in
            signer.changed { $0.subject.append((TestCertificate.state, "Tokyo")) }
        },
    ]

    @Test(arguments: signerCases)
    func `Annex B is kept by the signer in full`(_ item: AnnexBCase) throws {
        let strict = try pair.result(profile: .iso18013_5) { $0 = item.change($0) }
        #expect(strict.failure == .issuerCertificateInvalid)
        #expect(Set(strict.problems) == [item.problem])
        // The same under `basic` is nobody's business.
        #expect(try pair.result { $0 = item.change($0) }.failure == nil)
    }

    @Test func `Annex B allows 457 days, and names by e-mail`() throws {
        let edge = try pair.result(profile: .iso18013_5) {
            $0.notAfter = DER.utcTime("270403000000Z")
            $0 = $0.with(.issuerNames([.email("iaca@example.jp")]))
        }
        #expect(edge.failure == nil)
    }

    static let rootCases: [AnnexBCase] = [
        AnnexBCase("20 years and a day", .validityTooLong) { root in
            root.changed { $0.notAfter = DER.utcTime("450102000000Z") }
        },
        AnnexBCase("key usage without CRLs", .keyUsage) { $0.with(.keyUsage(5)) },
        AnnexBCase("more key usage", .keyUsage) { $0.with(.keyUsage(0, 5, 6)) },
        AnnexBCase("key usage not critical", .keyUsage) { $0.with(.keyUsage(5, 6, critical: false)) },
        AnnexBCase("path length 1", .basicConstraints) { $0.with(.constraints(authority: true, pathLength: 1)) },
        AnnexBCase("no path length", .basicConstraints) { $0.with(.constraints(authority: true)) },
        AnnexBCase("constraints not critical", .basicConstraints) {
            $0.with(.constraints(authority: true, pathLength: 0, critical: false))
        },
        AnnexBCase("a purpose", .extendedKeyUsage) { $0.with(.purposes(["1.3.130.2.0.0.1.7"])) },
        AnnexBCase("no subject key identifier", .subjectKeyIdentifier) { $0.without("2.5.29.14") },
        AnnexBCase("no country", .country) { root in root.changed { $0.subject.removeFirst() } },
        AnnexBCase("X07 no issuer names", .issuerAlternativeName) { $0.without("2.5.29.18") },
        AnnexBCase("X07 empty issuer names", .issuerAlternativeName) { $0.with(.issuerNames([])) },
        AnnexBCase("X07 empty URI", .issuerAlternativeName) { $0.with(.issuerNames([.uri("")])) },
        AnnexBCase("X07 garbage in issuer names", .issuerAlternativeName) {
            $0.with(TestCertificate.Extension(identifier: "2.5.29.18", value: [0x30, 0x82, 0xFF]))
        },
    ]

    @Test(arguments: rootCases)
    func `X07 Annex B is kept by the root in full, and judged when it is loaded`(_ item: AnnexBCase) throws {
        let certificate = try item.change(pair.root).certificate(key: pair.rootKey, signer: pair.rootKey)
        #expect(throws: TrustProblem(path: "root", fault: .unsuitable([item.problem]))) {
            try TrustAnchor(certificate: certificate, source: "root", profile: .iso18013_5)
        }
        let anchor = try TrustAnchor(certificate: certificate, source: "root", profile: .basic)
        // An anchor that was loaded under `basic` does not slip into the other profile.
        let verifier = try verifier([anchor], profile: .iso18013_5)
        let result = verifier.verify(chain: [pair.leaf()[...]], documentType: "any", at: at(TestPair.noon))
        #expect(result.failure == .issuerCertificateInvalid)
    }

    @Test func `Annex B allows a root of 20 years`() throws {
        let certificate = try pair.root.changed { $0.notAfter = DER.utcTime("450101000000Z") }
            .certificate(key: pair.rootKey, signer: pair.rootKey)
        #expect(throws: Never.self) {
            try TrustAnchor(certificate: certificate, source: "root", profile: .iso18013_5)
        }
    }
}
