public import VerificationCore

/// A rule that a certificate breaks where it stands in a chain.
public enum CertificateProblem: String, Sendable, CaseIterable, Hashable {
    /// The time is before `notBefore`.
    case notYetValid = "not_yet_valid"
    /// The time is after `notAfter`.
    case expired
    /// The version is not 3.
    case version
    /// There is a critical extension that our rules do not process (RFC 5280 section 4.2).
    case unknownCriticalExtension = "unknown_critical_extension"
    /// It is signed by an algorithm that trust must not rest on.
    case signatureAlgorithm = "signature_algorithm"
    /// The key is of a kind that is not allowed.
    case keyAlgorithm = "key_algorithm"
    /// A signer is an authority.
    case isAuthority = "is_authority"
    /// An authority is none by its basic constraints.
    case notAuthority = "not_authority"
    /// More authorities stand below it than it allows.
    case pathLength = "path_length"
    /// The key usage is absent, lacks what is needed, or (Annex B) holds more or is not critical.
    case keyUsage = "key_usage"
    /// The extended key usage is absent, lacks the document signer's purpose, or (Annex B) holds more or is not critical.
    case extendedKeyUsage = "extended_key_usage"
    /// Annex B: the basic constraints of an authority are not critical, or its path length is not 0.
    case basicConstraints = "basic_constraints"
    /// Annex B: it is valid for longer than allowed.
    case validityTooLong = "validity_too_long"
    /// Annex B: the subject key identifier is absent or not the SHA-1 of the key.
    case subjectKeyIdentifier = "subject_key_identifier"
    /// Annex B: the authority key identifier is absent or not the authority's subject key identifier.
    case authorityKeyIdentifier = "authority_key_identifier"
    /// Annex B: the issuer alternative name is absent, critical, cannot be read, or holds neither e-mail nor URI.
    case issuerAlternativeName = "issuer_alternative_name"
    /// Annex B: there is no CRL distribution point with a URI, or one with reasons or with an issuer of its own.
    case distributionPoint = "distribution_point"
    /// Annex B: the country is absent, there twice, not two upper-case letters, or not the authority's.
    case country
    /// Annex B: the state or province is not the authority's.
    case state
    /// Annex B: the common name is absent.
    case commonName = "common_name"
    /// Annex B: another authority stands between the signer and the anchor.
    case intermediate

    /// The reason that the check `issuer_certificate` gives for it.
    public var reason: Reason {
        switch self {
        case .notYetValid, .expired: .issuerCertificateExpired
        case .version, .unknownCriticalExtension, .signatureAlgorithm, .keyAlgorithm, .isAuthority, .notAuthority,
            .pathLength, .keyUsage, .extendedKeyUsage, .basicConstraints, .validityTooLong,
            .subjectKeyIdentifier, .authorityKeyIdentifier, .issuerAlternativeName, .distributionPoint, .country,
            .state, .commonName, .intermediate:
            .issuerCertificateInvalid
        }
    }
}
