import VerificationCore

/// An authority's certificate that the configuration trusts, for some or all document types.
public struct TrustAnchor: Sendable, Hashable {
    /// An anchor is announced as expiring so long before its end.
    public static let expiryNotice = Duration.seconds(30 * 86_400)

    /// The authority's certificate; its key is what is trusted.
    public let certificate: Certificate
    /// The document types it is trusted for; `nil` for all.
    public let documentTypes: Set<String>?
    /// The file it came from.
    public let source: String

    /// An anchor, if the certificate can be one: an authority that may sign certificates, with a key and a signature
    /// that trust may rest on, as its profile demands it. Dates are judged whenever it is used, not here.
    public init(
        certificate: Certificate, documentTypes: Set<String>? = nil, source: String,
        profile: CertificateProfile = .basic
    ) throws(TrustProblem) {
        let problems = profile.problems(ofAuthority: certificate, at: certificate.validity.notBefore)
            .filter { $0 != .notYetValid && $0 != .expired }
        guard problems.isEmpty else { throw TrustProblem(path: source, fault: .unsuitable(problems)) }
        // A root renewed under its old key is self-issued too, but says whose key signed it.
        let claimsOwnKey = certificate.authorityKeyIdentifier.map { $0 == certificate.subjectKeyIdentifier } ?? true
        guard !certificate.isSelfIssued || !claimsOwnKey || certificate.issued(certificate) else {
            throw TrustProblem(path: source, fault: .damaged)
        }
        self.certificate = certificate
        self.documentTypes = documentTypes
        self.source = source
    }

    private init(_ certificate: Certificate, _ documentTypes: Set<String>?, _ source: String) {
        self.certificate = certificate
        self.documentTypes = documentTypes
        self.source = source
    }

    /// Whether it is trusted for a document type.
    public func covers(_ documentType: String) -> Bool {
        documentTypes?.contains(documentType) ?? true
    }

    /// The same certificate from another place: trusted for what either is trusted for.
    func merged(with other: TrustAnchor) -> TrustAnchor {
        guard let mine = documentTypes, let theirs = other.documentTypes else {
            return TrustAnchor(certificate, nil, source)
        }
        return TrustAnchor(certificate, mine.union(theirs), source)
    }

    /// What has to be told of it at an instant.
    func alarm(at now: Timestamp) -> TrustAlarm? {
        let (validity, subject) = (certificate.validity, certificate.subject.text)
        if now > validity.notAfter { return TrustAlarm(.trustAnchorExpired, source: source, subject: subject) }
        if now < validity.notBefore { return TrustAlarm(.trustAnchorNotYetValid, source: source, subject: subject) }
        let left = validity.notAfter.duration(since: now)
        guard left <= TrustAnchor.expiryNotice else { return nil }
        return TrustAlarm(
            .trustAnchorExpiring, source: source, subject: subject, daysLeft: Int(left.components.seconds / 86_400))
    }
}
