/// The object identifiers that rules speak of.
enum ObjectIdentifiers {
    static let keyUsage = "2.5.29.15"
    static let subjectAlternativeName = "2.5.29.17"
    static let issuerAlternativeName = "2.5.29.18"
    static let subjectKeyIdentifier = "2.5.29.14"
    static let authorityKeyIdentifier = "2.5.29.35"
    static let basicConstraints = "2.5.29.19"
    static let extendedKeyUsage = "2.5.29.37"
    static let distributionPoints = "2.5.29.31"

    /// The purpose of a document signer (ISO/IEC 18013-5 Annex B).
    static let documentSigner = "1.0.18013.5.1.2"

    /// The critical extensions that our rules process; every other critical one is refused (RFC 5280 section 4.2).
    /// Constraints on names and policies are not among them: who marks those critical wants them enforced.
    static let processed: Set<String> = [
        keyUsage, subjectAlternativeName, issuerAlternativeName, subjectKeyIdentifier, authorityKeyIdentifier,
        basicConstraints, extendedKeyUsage, distributionPoints,
    ]
}
