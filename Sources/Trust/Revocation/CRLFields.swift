import VerificationCore

/// What was read of a CRL, as Swift values; made once by the seam.
struct CRLFields: Sendable {
    let issuer: DistinguishedName
    let thisUpdate: Timestamp
    let nextUpdate: Timestamp?
    let signature: CertificateSignature
    let scope: CRLScope
    let serialNumbers: Set<String>
}

/// Which certificates of its issuer a CRL speaks of (RFC 5280 section 5.2.5).
struct CRLScope: Sendable {
    static let issuingDistributionPoint = "2.5.29.28"

    var authorities = true
    var endEntities = true
    /// The names of its distribution point; `nil` where the list is for all points.
    var points: [GeneralName]?

    func covers(_ certificate: Certificate) -> Bool {
        guard certificate.isAuthority ? authorities : endEntities else { return false }
        guard let points else { return true }
        let named = (certificate.distributionPoints ?? []).flatMap(\.names)
        return points.contains { $0 != .other && named.contains($0) }
    }
}
