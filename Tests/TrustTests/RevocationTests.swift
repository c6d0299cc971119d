import Testing
import VerificationCore

@testable import Trust

struct RevocationTests {
    private let pair = TestPair()
    /// The serial of `TestCertificate`.
    private let serial: [UInt8] = [0x4B, 0x1D]

    private func result(
        _ lists: [RevocationList], policy: RevocationPolicy = .fail, at time: String = TestPair.noon,
        leaf: [UInt8]? = nil
    ) throws -> SignerResult {
        let sources = RevocationSources(lists: lists, policy: policy)
        return try verifier([pair.anchor()], revocation: sources).verify(
            chain: [(leaf ?? pair.leaf())[...]], documentType: "any", at: at(time))
    }

    private func outcome(_ list: TestList, at time: String = TestPair.noon) throws -> RevocationOutcome {
        let result = try result([list.list(signer: pair.rootKey)], at: time)
        #expect(result.failure == nil)
        return result.revocation
    }

    @Test func `a signer is good, revoked, or without any list`() throws {
        #expect(try outcome(TestList()) == .good)
        #expect(try outcome(TestList(serials: [[0x01]])) == .good)
        #expect(try outcome(TestList(serials: [[0x01], serial])) == .revoked)
        #expect(try result([]).revocation == .undetermined)
        #expect(try pair.result().revocation == .notConfigured)
        #expect(try result([], policy: .notChecked).revocation == .undetermined)
    }

    @Test func `X12 a list that is out of date is never good`() throws {
        #expect(try outcome(TestList(), at: "2026-07-01T00:00:00Z") == .good)
        #expect(try outcome(TestList(), at: "2026-07-01T00:00:01Z") == .undetermined)
        #expect(try outcome(TestList(), at: "2026-06-01T00:00:00Z") == .good)
        #expect(try outcome(TestList(), at: "2026-05-31T23:59:59Z") == .undetermined)
        #expect(try outcome(TestList(nextUpdate: nil)) == .undetermined)
        #expect(try outcome(TestList(thisUpdate: DER.utcTime("260616000000Z"))) == .undetermined)
        // What a stale list names stays revoked: waiting undoes no revocation.
        #expect(try outcome(TestList(serials: [serial]), at: "2026-07-02T00:00:00Z") == .revoked)
        #expect(try outcome(TestList(nextUpdate: nil, serials: [serial])) == .revoked)
    }

    @Test func `X12 a list that another signed does not count`() throws {
        let stranger = TestKey()
        #expect(try result([TestList().list(signer: stranger)]).revocation == .undetermined)
        #expect(try result([TestList(serials: [serial]).list(signer: stranger)]).revocation == .undetermined)
        #expect(try result([TestList(usesSHA1: true).list(signer: pair.rootKey)]).revocation == .undetermined)
        // The name decides nothing, the key does.
        let renamed = try TestList(issuer: [("2.5.4.3", "Other")], serials: [serial]).list(signer: pair.rootKey)
        #expect(try result([renamed]).revocation == .revoked)
    }

    @Test func `X12 an authority without the use for CRLs signs none`() throws {
        let anchor = try pair.anchor { $0 = $0.with(.keyUsage(5)) }
        let sources = RevocationSources(lists: [try TestList().list(signer: pair.rootKey)], policy: .fail)
        let result = try verifier([anchor], revocation: sources).verify(
            chain: [pair.leaf()[...]], documentType: "any", at: at(TestPair.noon))
        #expect(result.failure == nil)
        #expect(result.revocation == .undetermined)
    }

    @Test func `of several lists the newest decides`() throws {
        let older = try TestList(serials: [serial]).list(signer: pair.rootKey)
        let newer = try TestList(thisUpdate: DER.utcTime("260610000000Z")).list(signer: pair.rootKey)
        #expect(try result([older, newer]).revocation == .good)
        #expect(try result([newer, older]).revocation == .good)
        // Before the newer one was made the older one decides.
        #expect(try result([older, newer], at: "2026-06-05T00:00:00Z").revocation == .revoked)
    }

    @Test func `X12 a list counts only for what it covers`() throws {
        let yes: [UInt8] = [0xFF]
        #expect(try outcome(TestList(extensions: [TestList.scope(DER.implicit(1, yes))])) == .good)
        #expect(try outcome(TestList(extensions: [TestList.scope(DER.implicit(2, yes))])) == .undetermined)
        func point(_ uri: String) -> TestCertificate.Extension {
            TestList.scope(DER.explicit(0, DER.explicit(0, TestCertificate.Extension.encoded(.uri(uri)))))
        }
        #expect(try outcome(TestList(extensions: [point("https://iaca.example/crl")])) == .good)
        #expect(try outcome(TestList(extensions: [point("https://iaca.example/other")])) == .undetermined)
    }

    @Test func `X12 a list that could only be misread is refused`() throws {
        let yes: [UInt8] = [0xFF]
        let refused: [[UInt8]] = [DER.implicit(3, [0x01, 0x60]), DER.implicit(4, yes), DER.implicit(5, yes)]
        for field in refused {
            #expect(throws: CertificateError.unsupportedExtension("2.5.29.28")) {
                try TestList(extensions: [TestList.scope(field)]).list(signer: pair.rootKey)
            }
        }
        let delta = TestCertificate.Extension(identifier: "2.5.29.27", critical: true, value: DER.integer(1))
        #expect(throws: CertificateError.unsupportedExtension("2.5.29.27")) {
            try TestList(extensions: [delta]).list(signer: pair.rootKey)
        }
        let other = TestCertificate.Extension(identifier: "2.5.29.29", critical: true, value: DER.sequence())
        #expect(throws: CertificateError.unsupportedExtension("2.5.29.29")) {
            try TestList(serials: [serial], entryExtensions: [other]).list(signer: pair.rootKey)
        }
        #expect(throws: CertificateError.malformedTime) {
            try TestList(nextUpdate: DER.generalizedTime("20260701000000.5Z")).list(signer: pair.rootKey)
        }
        let der = TestList(serials: [serial]).der(signer: pair.rootKey)
        for length in 0..<der.count {
            #expect(throws: CertificateError.self) {
                try RevocationList(der: Array(der.prefix(length)), source: "list.crl")
            }
        }
        #expect(throws: CertificateError.malformed) { try RevocationList(der: der + [0], source: "list.crl") }
    }

    @Test func `a negative serial is another than the same without its sign`() throws {
        let leaf = pair.leaf { $0.serial = [0xFF] }
        #expect(try result([TestList(serials: [[0x01]]).list(signer: pair.rootKey)], leaf: leaf).revocation == .good)
        #expect(try result([TestList(serials: [[0xFF]]).list(signer: pair.rootKey)], leaf: leaf).revocation == .revoked)
    }

    @Test func `X14 an authority of the path that its root revoked is revoked`() throws {
        let (rootKey, middleKey, signerKey) = (TestKey(), TestKey(), TestKey())
        let root = try TestCertificate.root(key: rootKey, pathLength: nil).certificate(key: rootKey, signer: rootKey)
        let middle = TestCertificate.root(key: middleKey).changed { $0.serial = [0x77] }
            .der(key: middleKey, signer: rootKey)
        let leaf = TestCertificate.signer(key: signerKey, issuer: middleKey).der(key: signerKey, signer: middleKey)
        func outcome(_ lists: [RevocationList]) throws -> RevocationOutcome {
            let anchor = try TrustAnchor(certificate: root, source: "root")
            let verifier = try verifier([anchor], revocation: RevocationSources(lists: lists, policy: .fail))
            let chain = [leaf[...], middle[...]]
            let first = verifier.verify(chain: chain, documentType: "any", at: at(TestPair.noon))
            let second = verifier.verify(chain: chain, documentType: "any", at: at(TestPair.noon))
            #expect(first.failure == nil)
            #expect(first.revocation == second.revocation)
            return first.revocation
        }
        let byRoot = try TestList().list(signer: rootKey)
        let byMiddle = try TestList().list(signer: middleKey)
        let revoking = try TestList(serials: [[0x77]]).list(signer: rootKey)
        #expect(try outcome([byRoot, byMiddle]) == .good)
        #expect(try outcome([revoking, byMiddle]) == .revoked)
        #expect(try outcome([byMiddle]) == .undetermined)
        #expect(try outcome([byRoot]) == .undetermined)
        // The signer's own serial on the root's list means another certificate.
        #expect(try outcome([TestList(serials: [serial]).list(signer: rootKey), byMiddle]) == .good)
    }

    @Test func `an untrusted signer has no list to ask, an expired one has`() throws {
        let sources = RevocationSources(
            lists: [try TestList(serials: [serial]).list(signer: pair.rootKey)], policy: .fail)
        let verifier = try verifier([pair.anchor()], revocation: sources)
        func outcome(_ chain: [[UInt8]]) -> RevocationOutcome {
            verifier.verify(chain: chain.map { $0[...] }, documentType: "any", at: at(TestPair.noon)).revocation
        }
        #expect(outcome([TestPair().leaf()]) == .notJudged)
        #expect(outcome([]) == .notJudged)
        #expect(outcome([[0x5A]]) == .notJudged)
        #expect(outcome([pair.leaf { $0.notAfter = DER.utcTime("260601000000Z") }]) == .revoked)
    }

    @Test func `lists are read from files, and a bad one refuses by name`() throws {
        let folder = try Folder()
        let list = TestList(serials: [serial])
        let der = try folder.write("a.crl", list.der(signer: pair.rootKey))
        let text = try folder.write("b.pem", pem(TestList().der(signer: TestKey()), label: "X509 CRL"))
        let sources = try RevocationSources.load(paths: [folder.path], policy: .notChecked)
        #expect(sources.lists.map(\.source) == [der, text])
        #expect(sources.lists.map(\.count) == [1, 0])
        #expect(sources.policy == .notChecked)
        let store = try TrustStore(anchors: [pair.anchor()], at: at(TestPair.noon))
        #expect(
            sources.alarms(under: store, at: at(TestPair.noon))
                == [TrustAlarm(.revocationListUnattributed, source: text, subject: "CN=Test IACA,C=JP")])
        #expect(
            sources.alarms(under: store, at: at("2026-08-01T00:00:00Z")).map(\.code) == [
                .revocationListStale, .revocationListStale, .revocationListUnattributed,
            ])
        let wrong = try folder.write("c.pem", pem(pair.leaf()))
        #expect(throws: TrustError([TrustProblem(path: wrong, block: 1, fault: .unexpectedBlock)])) {
            try RevocationSources.load(paths: [folder.path], policy: .fail)
        }
        let html = try folder.write("d.crl", "<html>not found</html>")
        #expect(throws: TrustError([TrustProblem(path: html, fault: .noBlock)])) {
            try RevocationSources.load(paths: [html], policy: .fail)
        }
    }

    @Test func `X12 a list of 50 MB is refused unread`() throws {
        let folder = try Folder()
        let path = try folder.write("huge.crl", [UInt8](repeating: 0x30, count: 50 * 1024 * 1024))
        #expect(throws: TrustError([TrustProblem(path: path, fault: .tooLong)])) {
            try RevocationSources.load(paths: [path], policy: .fail)
        }
    }
}
