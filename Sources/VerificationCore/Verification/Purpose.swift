/// Why we ask: fixes the documents, the claims, their retention and the legal basis.
public struct Purpose: Sendable, Hashable {
    /// Its name in the configuration.
    public let id: PurposeID
    /// The document types that may be asked for, the default first.
    public let documentTypes: [String]
    /// The claims that may survive a verification. Nothing else is stored or returned.
    public let claims: Set<ClaimName>
    /// Those of them without which the check `elements` fails.
    public let requiredClaims: Set<ClaimName>
    /// How long the gateway keeps claims after the verdict; zero keeps them only for the answer's sake. Where
    /// `eventRetention` is there, it is the short time that holds until the app tells of the contract.
    public let retention: Duration
    /// How long it keeps them after something that the app tells of.
    public let eventRetention: EventRetention?
    /// What the relying party itself declares to keep.
    public let relyingPartyRetention: RelyingPartyRetention
    /// The legal method that a verification for it follows, where its name in the law is written down as it stands.
    public let legalMethod: LegalMethod?
    /// The legal method by its code, with its names in the law and their days.
    public let legalMethods: LegalMethodTable?
    /// `trust_framework` of the OpenID Connect for Identity Assurance form, such as `jp_aml`.
    public let trustFramework: String?
    /// The certification regimes that it accepts; `nil` accepts any.
    public let regimes: Set<String>?

    /// A purpose.
    public init(
        id: PurposeID, documentTypes: [String], claims: Set<ClaimName>, requiredClaims: Set<ClaimName>,
        retention: Duration, relyingPartyRetention: RelyingPartyRetention, legalMethod: LegalMethod? = nil,
        trustFramework: String? = nil, regimes: Set<String>? = nil, legalMethods: LegalMethodTable? = nil,
        eventRetention: EventRetention? = nil
    ) {
        self.id = id
        self.documentTypes = documentTypes
        self.claims = claims
        self.requiredClaims = requiredClaims
        self.retention = retention
        self.relyingPartyRetention = relyingPartyRetention
        self.legalMethod = legalMethod
        self.trustFramework = trustFramework
        self.regimes = regimes
        self.legalMethods = legalMethods
        self.eventRetention = eventRetention
    }

    /// The legal method as the law names it at an instant.
    public func legalMethod(at now: Timestamp) -> LegalMethod? {
        guard let legalMethods else { return legalMethod }
        return legalMethods.method(on: LegalCalendar.day(of: now))
    }
}

/// What the relying party declares to keep of the data; the wallet shows it to the person.
public enum RelyingPartyRetention: Sendable, Hashable {
    /// Nothing (Apple: `willNotStore`).
    case none
    /// For so many days (Apple: `mayStore(days:)`).
    case days(Int)
    /// Without a bound (Apple: `mayStore`).
    case unbounded
}
