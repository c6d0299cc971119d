public import VerificationCore

/// Judges the signer's certificate of a document against the configured trust.
///
/// Immutable but for its cache of trusted chains: other anchors, another profile, or other lists are another verifier.
public struct SignerVerifier: Sendable {
    /// The signer and what stands above it; the field has one or two, a list of roots (VICAL) has three.
    public static let maximumChainLength = 5
    /// A signer serves thousands of documents, and a country has tens of signers.
    public static let standardCacheCapacity = 1024

    /// The anchors.
    public let trust: TrustStore
    /// The rules.
    public let profile: CertificateProfile
    /// The lists and the policy for what they do not tell; `nil` where revocation is not configured.
    public let revocation: RevocationSources?
    private let anchorLists: [Certificate: [RevocationList]]
    private let cache: SignerCache

    /// A verifier with an empty cache.
    public init(
        trust: TrustStore, profile: CertificateProfile, revocation: RevocationSources? = nil,
        cacheCapacity: Int = SignerVerifier.standardCacheCapacity
    ) {
        self.trust = trust
        self.profile = profile
        self.revocation = revocation
        anchorLists = Dictionary(
            trust.anchors.map { ($0.certificate, revocation?.lists(of: $0.certificate) ?? []) },
            uniquingKeysWith: { first, _ in first })
        cache = SignerCache(capacity: cacheCapacity)
    }

    /// How many signers the cache holds now.
    public var cachedSigners: Int { cache.count }

    /// Judges an `x5chain`, the signer's certificate first, for a document type at an instant.
    public func verify(chain: [ArraySlice<UInt8>], documentType: String, at now: Timestamp) -> SignerResult {
        guard let leaf = chain.first else {
            return SignerResult(signer: nil, failure: .issuerCertificateMissing, revocation: nothingJudged)
        }
        if let known = cache.entry(for: chain), known.validity.contains(now), known.anchor.covers(documentType) {
            return SignerResult(
                signer: known.signer, failure: nil, revocation: judge(known.steps, at: now), anchor: known.anchor)
        }
        guard let signer = try? Certificate(der: leaf) else {
            return SignerResult(signer: nil, failure: .issuerCertificateInvalid, revocation: nothingJudged)
        }
        guard chain.count <= SignerVerifier.maximumChainLength else {
            return SignerResult(signer: signer, failure: .issuerCertificateInvalid, revocation: nothingJudged)
        }
        return judge(signer, chain, documentType, at: now)
    }

    private func judge(
        _ signer: Certificate, _ chain: [ArraySlice<UInt8>], _ documentType: String, at now: Timestamp
    ) -> SignerResult {
        var rejected: (path: CertificatePath, problems: [CertificateProblem])?
        var trusted: CertificatePath?
        var search = PathSearch(
            signer: signer, following: Array(chain.dropFirst()), anchors: trust.anchors(for: documentType))
        search.forEachPath { path in
            let problems = path.problems(under: profile, at: now)
            guard problems.isEmpty else {
                if rejected.map({ problems.count < $0.problems.count }) ?? true { rejected = (path, problems) }
                return true
            }
            trusted = path
            return false
        }
        if let trusted { return accept(signer, by: trusted, at: now) }
        guard let rejected else {
            return SignerResult(
                signer: signer, failure: .issuerUntrusted, problems: profile.problems(ofSigner: signer, at: now),
                revocation: nothingJudged)
        }
        let reasons = rejected.problems.map(\.reason)
        return SignerResult(
            signer: signer,
            failure: reasons.contains(.issuerCertificateExpired)
                ? .issuerCertificateExpired : .issuerCertificateInvalid,
            problems: rejected.problems, revocation: judge(steps(of: rejected.path), at: now),
            anchor: rejected.path.anchor)
    }

    private func accept(_ signer: Certificate, by path: CertificatePath, at now: Timestamp) -> SignerResult {
        let steps = steps(of: path)
        cache.insert(
            SignerCache.Entry(signer: signer, anchor: path.anchor, validity: path.validity, steps: steps),
            for: path.certificates.map { ArraySlice($0.der) })
        return SignerResult(signer: signer, failure: nil, revocation: judge(steps, at: now), anchor: path.anchor)
    }

    private var nothingJudged: RevocationOutcome {
        revocation == nil ? .notConfigured : .notJudged
    }

    /// Each certificate of a path but the anchor, with the lists that its issuer signed.
    private func steps(of path: CertificatePath) -> [RevocationStep] {
        guard let revocation else { return [] }
        return zip(path.certificates, path.authorities).map { certificate, issuer in
            RevocationStep(
                certificate: certificate, issuer: issuer, lists: anchorLists[issuer] ?? revocation.lists(of: issuer))
        }
    }

    private func judge(_ steps: [RevocationStep], at now: Timestamp) -> RevocationOutcome {
        guard let revocation else { return .notConfigured }
        var outcome = RevocationOutcome.good
        for step in steps {
            switch revocation.judge(step.certificate, issuedBy: step.issuer, by: step.lists, at: now) {
            case .revoked: return .revoked
            case .undetermined, .notConfigured, .notJudged: outcome = .undetermined
            case .good: break
            }
        }
        return outcome
    }
}
