public import VerificationCore

/// Which rules a document signer's certificate, and the authorities above it, have to keep.
public enum CertificateProfile: String, Sendable, CaseIterable {
    /// What every sound certificate in the field keeps: dates, algorithms, authority or not, key usage, the document
    /// signer's purpose, no unknown critical extension.
    case basic
    /// Everything of `basic`, and Annex B of ISO/IEC 18013-5 in full.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // The standard's own number: without the sign between its parts it is another.
    case iso18013_5 = "iso18013-5"

    /// The rules that a document signer's certificate breaks, whoever issued it.
    public func problems(ofSigner signer: Certificate, at now: Timestamp) -> [CertificateProblem] {
        var problems = CertificateProfile.common(signer, at: now)
        if signer.isAuthority { problems.append(.isAuthority) }
        switch self {
        case .basic:
            if !(signer.keyUsage ?? []).contains(.digitalSignature) { problems.append(.keyUsage) }
            if !(signer.extendedKeyUsage ?? []).contains(ObjectIdentifiers.documentSigner) {
                problems.append(.extendedKeyUsage)
            }
        case .iso18013_5: problems += AnnexB.problems(ofSigner: signer)
        }
        return problems
    }

    /// The rules that an authority's certificate breaks, as an anchor or between a signer and its anchor.
    ///
    /// - Parameter below: How many authorities stand between it and the signer.
    public func problems(ofAuthority authority: Certificate, below: Int = 0, at now: Timestamp) -> [CertificateProblem]
    {
        var problems = CertificateProfile.common(authority, at: now)
        if !authority.isAuthority { problems.append(.notAuthority) }
        if let allowed = authority.basicConstraints?.pathLength, below > allowed { problems.append(.pathLength) }
        if !authority.keyAlgorithm.isAllowed { problems.append(.keyAlgorithm) }
        switch self {
        case .basic:
            if !(authority.keyUsage ?? []).contains(.keyCertSign) { problems.append(.keyUsage) }
        case .iso18013_5: problems += AnnexB.problems(ofAuthority: authority)
        }
        return problems
    }

    /// The rules that a signer's certificate breaks together with the anchor that it leads to.
    func problems(of signer: Certificate, under anchor: Certificate, intermediates: Int) -> [CertificateProblem] {
        switch self {
        case .basic: []
        case .iso18013_5: AnnexB.problems(of: signer, under: anchor, intermediates: intermediates)
        }
    }

    private static func common(_ certificate: Certificate, at now: Timestamp) -> [CertificateProblem] {
        var problems: [CertificateProblem] = []
        if now < certificate.validity.notBefore { problems.append(.notYetValid) }
        if now > certificate.validity.notAfter { problems.append(.expired) }
        if certificate.version != 3 { problems.append(.version) }
        if !certificate.signature.isAllowed { problems.append(.signatureAlgorithm) }
        if !ObjectIdentifiers.processed.isSuperset(of: certificate.criticalExtensions) {
            problems.append(.unknownCriticalExtension)
        }
        return problems
    }
}
