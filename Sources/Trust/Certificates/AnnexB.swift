import VerificationCore

/// Annex B of ISO/IEC 18013-5: the profile of the IACA root (B.1.2) and of the document signer (B.1.4).
///
/// One rule is left out on purpose: serial numbers have to be positive there, and sound signers in the field have
/// negative ones. Nothing of ours rests on the sign.
enum AnnexB {
    /// The longest life of a document signer's certificate.
    static let signerDays = 457
    /// The longest life of a root: 9 years suffice for driving licences, other documents have 20.
    static let rootYears = 20

    static func problems(ofSigner signer: Certificate) -> [CertificateProblem] {
        var problems = shared(signer)
        if signer.validity.notAfter.duration(since: signer.validity.notBefore) > .seconds(signerDays * 86_400) {
            problems.append(.validityTooLong)
        }
        if !signer.keyAlgorithm.isAllowed { problems.append(.keyAlgorithm) }
        if signer.keyUsage != .digitalSignature || !signer.isCritical(ObjectIdentifiers.keyUsage) {
            problems.append(.keyUsage)
        }
        if signer.extendedKeyUsage != [ObjectIdentifiers.documentSigner]
            || !signer.isCritical(ObjectIdentifiers.extendedKeyUsage)
        {
            problems.append(.extendedKeyUsage)
        }
        if !hasSoundDistributionPoint(signer) { problems.append(.distributionPoint) }
        return problems
    }

    static func problems(ofAuthority root: Certificate) -> [CertificateProblem] {
        var problems = shared(root)
        if outlives(root.validity, years: rootYears) { problems.append(.validityTooLong) }
        if !root.keyAlgorithm.isECDSA { problems.append(.keyAlgorithm) }
        if root.keyUsage != [.keyCertSign, .cRLSign] || !root.isCritical(ObjectIdentifiers.keyUsage) {
            problems.append(.keyUsage)
        }
        if root.extendedKeyUsage != nil { problems.append(.extendedKeyUsage) }
        if root.basicConstraints?.pathLength != 0 || !root.isCritical(ObjectIdentifiers.basicConstraints) {
            problems.append(.basicConstraints)
        }
        return problems
    }

    static func problems(of signer: Certificate, under root: Certificate, intermediates: Int) -> [CertificateProblem] {
        var problems: [CertificateProblem] = []
        if intermediates > 0 { problems.append(.intermediate) }
        if signer.authorityKeyIdentifier == nil || signer.authorityKeyIdentifier != root.subjectKeyIdentifier {
            problems.append(.authorityKeyIdentifier)
        }
        if signer.subject.countries != root.subject.countries { problems.append(.country) }
        if signer.subject.states != root.subject.states { problems.append(.state) }
        return problems
    }

    private static func shared(_ certificate: Certificate) -> [CertificateProblem] {
        var problems: [CertificateProblem] = []
        if certificate.subjectKeyIdentifier != certificate.keyIdentifier { problems.append(.subjectKeyIdentifier) }
        let names = certificate.issuerAlternativeNames ?? []
        if certificate.isCritical(ObjectIdentifiers.issuerAlternativeName) || !names.contains(where: isReachable) {
            problems.append(.issuerAlternativeName)
        }
        let countries = certificate.subject.countries
        if countries.count != 1 || !isAlphaTwo(countries[0]) { problems.append(.country) }
        if certificate.subject.commonNames.allSatisfy(\.isEmpty) { problems.append(.commonName) }
        return problems
    }

    private static func isReachable(_ name: GeneralName) -> Bool {
        switch name {
        case .email(let text), .uri(let text): !text.isEmpty
        case .dns, .other: false
        }
    }

    private static func isAlphaTwo(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func hasSoundDistributionPoint(_ certificate: Certificate) -> Bool {
        guard let points = certificate.distributionPoints, !points.isEmpty,
            !certificate.isCritical(ObjectIdentifiers.distributionPoints)
        else { return false }
        return points.allSatisfy { point in
            !point.limitsReasons && !point.namesIssuer && point.names.contains { !($0.uri ?? "").isEmpty }
        }
    }

    private static func outlives(_ validity: ValidityPeriod, years: Int) -> Bool {
        let start = validity.notBefore.milliseconds
        let days = start >= 0 ? start / 86_400_000 : (start - 86_399_999) / 86_400_000
        let date = CivilDate(daysSinceEpoch: days)
        // A period that begins on 29 February may end on 1 March.
        guard
            let last = CivilDate(year: date.year + years, month: date.month, day: date.day)
                ?? CivilDate(year: date.year + years, month: 3, day: 1)
        else { return true }
        return validity.notAfter.milliseconds - start > (last.daysSinceEpoch - days) * 86_400_000
    }
}
