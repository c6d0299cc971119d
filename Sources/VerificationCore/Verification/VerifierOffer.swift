/// What a verifier can ever verify: known from its configuration alone, before it is opened and without a secret.
public struct VerifierOffer: Sendable, Hashable {
    /// The document types that it can verify.
    public let documentTypes: Set<String>
    /// The claims that it can ever give, by document type; `nil` where it gives what the document has.
    public let claims: [String: Set<ClaimName>]?

    /// An offer.
    public init(documentTypes: Set<String>, claims: [String: Set<ClaimName>]? = nil) {
        self.documentTypes = documentTypes
        self.claims = claims
    }

    /// The claims that a purpose requires of a document and that can never be given: with them nobody could be verified.
    public func missingClaims(of purpose: Purpose, _ documentType: String) -> Set<ClaimName> {
        guard let claims else { return [] }
        let given = claims[documentType] ?? []
        let hasAge = given.contains(ClaimName("age_in_years"))
        return purpose.requiredClaims.filter { !given.contains($0) && !($0.ageThreshold != nil && hasAge) }
    }

    /// Whether such documents are verified, and all is given that the purpose requires of them.
    public func canServe(_ purpose: Purpose, _ documentType: String) -> Bool {
        documentTypes.contains(documentType) && missingClaims(of: purpose, documentType).isEmpty
    }
}

extension OutageReason {
    /// What keeps a verifier from sessions whatever state it is in, as creation, `sekisho route` and `sekisho plan` ask it:
    /// an offer that does not fit (`nil` for a verifier that is not configured), or a certification that does not.
    ///
    /// A purpose that is not known any more requires nothing.
    public static func standing(
        _ offer: VerifierOffer?, for purpose: Purpose?, _ documentType: String, isCertified: () -> Bool
    ) -> OutageReason? {
        guard let offer, offer.documentTypes.contains(documentType),
            purpose.map({ offer.canServe($0, documentType) }) ?? true
        else { return .unsuitable }
        return isCertified() ? nil : .certificationNotCurrent
    }
}
