import Testing
import VerificationCore

@testable import Trust

struct CacheTests {
    private let pair = TestPair()

    private func failure(_ verifier: SignerVerifier, _ chain: [[UInt8]], at time: String = TestPair.noon) -> Reason? {
        verifier.verify(chain: chain.map { $0[...] }, documentType: "any", at: at(time)).failure
    }

    @Test func `a second look at a signer costs a fraction of the first, and says the same`() throws {
        let store = try TrustStore(anchors: [pair.anchor()], at: at(TestPair.noon))
        let chain = [pair.leaf()[...]]
        let now = at(TestPair.noon)
        // The fastest of several batches, so that a busy machine does not decide.
        func cost(_ verifier: SignerVerifier) -> Duration {
            let times = (0..<10).map { _ in
                ContinuousClock().measure {
                    for _ in 0..<50 {
                        let result = verifier.verify(chain: chain, documentType: "any", at: now)
                        if result.failure != nil || result.signer?.der != Array(chain[0]) {
                            Issue.record("not trusted")
                        }
                    }
                }
            }
            return (times.min() ?? .zero) / 50
        }
        let cached = SignerVerifier(trust: store, profile: .basic)
        let hit = cost(cached)
        let miss = cost(SignerVerifier(trust: store, profile: .basic, cacheCapacity: 0))
        #expect(hit * 2 < miss)
        #expect(cached.cachedSigners == 1)
    }

    @Test func `dates are judged at every use`() throws {
        let verifier = try verifier([pair.anchor()])
        #expect(failure(verifier, [pair.leaf()]) == nil)
        #expect(failure(verifier, [pair.leaf()], at: "2026-12-31T23:59:59Z") == nil)
        #expect(failure(verifier, [pair.leaf()], at: "2027-01-01T00:00:00Z") == .issuerCertificateExpired)
        #expect(failure(verifier, [pair.leaf()], at: "2025-12-31T23:59:59Z") == .issuerCertificateExpired)
        #expect(failure(verifier, [pair.leaf()]) == nil)
    }

    @Test func `the anchor's dates are judged at every use`() throws {
        let verifier = try verifier([pair.anchor { $0.notAfter = DER.utcTime("260701000000Z") }])
        #expect(failure(verifier, [pair.leaf()]) == nil)
        #expect(failure(verifier, [pair.leaf()], at: "2026-07-01T00:00:00Z") == nil)
        #expect(failure(verifier, [pair.leaf()], at: "2026-07-01T00:00:01Z") == .issuerCertificateExpired)
    }

    @Test func `document types are judged at every use`() throws {
        let anchor = try TrustAnchor(
            certificate: pair.anchor().certificate, documentTypes: ["card"], source: "root")
        let verifier = try verifier([anchor])
        let chain = [pair.leaf()[...]]
        #expect(verifier.verify(chain: chain, documentType: "card", at: at(TestPair.noon)).failure == nil)
        #expect(
            verifier.verify(chain: chain, documentType: "licence", at: at(TestPair.noon)).failure == .issuerUntrusted)
    }

    @Test func `revocation is judged at every use`() throws {
        let lists = [
            try TestList().list(signer: pair.rootKey),
            try TestList(thisUpdate: DER.utcTime("260620000000Z"), serials: [[0x4B, 0x1D]]).list(signer: pair.rootKey),
        ]
        let verifier = try verifier([pair.anchor()], revocation: RevocationSources(lists: lists, policy: .fail))
        func outcome(_ time: String) -> RevocationOutcome {
            verifier.verify(chain: [pair.leaf()[...]], documentType: "any", at: at(time)).revocation
        }
        let leaf = pair.leaf()
        func cached(_ time: String) -> RevocationOutcome {
            verifier.verify(chain: [leaf[...]], documentType: "any", at: at(time)).revocation
        }
        #expect(cached(TestPair.noon) == .good)
        #expect(cached("2026-06-20T00:00:00Z") == .revoked)
        #expect(cached("2026-05-01T00:00:00Z") == .undetermined)
        #expect(cached(TestPair.noon) == .good)
        #expect(verifier.cachedSigners == 1)
    }

    @Test func `a cached signer does not vouch for another`() throws {
        let verifier = try verifier([pair.anchor()])
        let leaf = pair.leaf()
        #expect(failure(verifier, [leaf]) == nil)
        for index in leaf.indices {
            var changed = leaf
            changed[index] ^= 0x80
            #expect(failure(verifier, [changed]) != nil, "byte \(index)")
        }
        #expect(failure(verifier, [TestPair().leaf(), leaf]) == .issuerUntrusted)
        #expect(verifier.cachedSigners == 1)
    }

    @Test func `what is not trusted is not kept`() throws {
        let verifier = try verifier([pair.anchor()])
        _ = failure(verifier, [TestPair().leaf()])
        _ = failure(verifier, [pair.leaf { $0 = $0.without("2.5.29.37") }])
        _ = failure(verifier, [[0x5A]])
        #expect(verifier.cachedSigners == 0)
    }

    @Test func `what is sent along unused does not fill the cache`() throws {
        let verifier = try verifier([pair.anchor()])
        let leaf = pair.leaf()
        for number in 0..<100 as Range<UInt8> {
            #expect(failure(verifier, [leaf, [number]]) == nil)
        }
        #expect(verifier.cachedSigners == 1)
    }

    @Test func `a chain through another authority is kept whole`() throws {
        let (rootKey, middleKey, signerKey) = (TestKey(), TestKey(), TestKey())
        let root = try TestCertificate.root(key: rootKey, pathLength: nil).certificate(key: rootKey, signer: rootKey)
        let middle = TestCertificate.root(key: middleKey).der(key: middleKey, signer: rootKey)
        let leaf = TestCertificate.signer(key: signerKey, issuer: middleKey).der(key: signerKey, signer: middleKey)
        let verifier = try verifier([try TrustAnchor(certificate: root, source: "root")])
        #expect(failure(verifier, [leaf, middle]) == nil)
        #expect(failure(verifier, [leaf, middle]) == nil)
        #expect(verifier.cachedSigners == 1)
        // The signer alone was never shown to be trusted.
        #expect(failure(verifier, [leaf]) == .issuerUntrusted)
        for number in 0..<20 as Range<UInt8> { #expect(failure(verifier, [leaf, middle, [number]]) == nil) }
        #expect(verifier.cachedSigners == 1)
    }

    @Test func `the cache is bounded, and what was used last stays`() throws {
        let store = try TrustStore(anchors: [pair.anchor()], at: at(TestPair.noon))
        let verifier = SignerVerifier(trust: store, profile: .basic, cacheCapacity: 3)
        let first = pair.leaf()
        for number in 0..<10 as Range<UInt8> {
            #expect(failure(verifier, [pair.leaf { $0.serial = [0x01, number] }]) == nil)
            #expect(failure(verifier, [first]) == nil)
        }
        #expect(verifier.cachedSigners == 3)
        let none = SignerVerifier(trust: store, profile: .basic, cacheCapacity: 0)
        #expect(failure(none, [first]) == nil)
        #expect(none.cachedSigners == 0)
    }

    @Test func `many at once get the same answer`() async throws {
        let store = try TrustStore(anchors: [pair.anchor()], at: at(TestPair.noon))
        let verifier = SignerVerifier(trust: store, profile: .basic, cacheCapacity: 4)
        let leaves = (0..<16 as Range<UInt8>).map { number in pair.leaf { $0.serial = [0x01, number] } }
        let stranger = TestPair().leaf()
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<64).allSatisfy { round in
                        let leaf = leaves[(task + round) % leaves.count]
                        let good = verifier.verify(chain: [leaf[...]], documentType: "any", at: at(TestPair.noon))
                        let bad = verifier.verify(chain: [stranger[...]], documentType: "any", at: at(TestPair.noon))
                        return good.failure == nil && good.signer?.der == leaf && bad.failure == .issuerUntrusted
                    }
                }
            }
            for await right in group { #expect(right) }
        }
        #expect(verifier.cachedSigners == 4)
    }
}
