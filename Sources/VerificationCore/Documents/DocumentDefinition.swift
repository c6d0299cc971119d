/// What is known of one document type: its elements, the claims they become, and how the wallet names both.
public struct DocumentDefinition: Sendable, Hashable {
    /// The document type (docType), such as `org.iso.23220.1.jp.mnc`.
    public let type: String
    /// The name of the document type in Apple's entitlement and requests.
    public let appleDocumentType: String
    /// The region that Apple's request must name, if any.
    public let appleRegion: String?
    /// The namespace of the elements `age_over_NN` and `age_in_years`.
    public let ageNamespace: String
    /// The elements, in the order in which a request names them.
    public let elements: [ElementDefinition]

    private let byName: [ElementName: ElementDefinition]

    /// A definition.
    public init(
        type: String, appleDocumentType: String, appleRegion: String?, ageNamespace: String,
        elements: [ElementDefinition]
    ) {
        self.type = type
        self.appleDocumentType = appleDocumentType
        self.appleRegion = appleRegion
        self.ageNamespace = ageNamespace
        self.elements = elements
        self.byName = Dictionary(elements.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The definition of an element, or `nil` where the document has no such element. There is an `age_over_NN` for
    /// every NN.
    public func element(_ name: ElementName) -> ElementDefinition? {
        if let known = byName[name] { return known }
        guard name.namespace == ageNamespace, let threshold = ClaimName(name.identifier).ageThreshold else {
            return nil
        }
        return ElementDefinition(
            ageNamespace, name.identifier, claim: name.identifier, apple: [AppleElement.age(atLeast: threshold)])
    }

    /// Whether the document has the claim.
    public func offers(_ claim: ClaimName) -> Bool {
        if let threshold = claim.ageThreshold { return AppleElement.thresholds.contains(threshold) }
        return elements.contains { $0.claim == claim }
    }

    /// The names of Apple's `PKIdentityElement` that ask for the claims: each once, in the document's order.
    public func appleElements(for claims: Set<ClaimName>) -> [String] {
        var names: [String] = []
        for element in elements where claims.contains(element.claim) {
            for name in element.appleElements where !names.contains(name) { names.append(name) }
        }
        // Apple refuses a request that names both, and the whole age answers for every threshold.
        if elements.contains(where: { $0.form == .ageInYears && claims.contains($0.claim) }) { return names }
        let thresholds = claims.compactMap(\.ageThreshold).filter(AppleElement.thresholds.contains).sorted()
        return names + thresholds.map(AppleElement.age(atLeast:))
    }

    /// Whether a request for `appleElements` would bring the element too, so that its arrival is no surprise.
    ///
    /// `age(atLeast:)` falls back to `age` where the issuer has not signed that threshold.
    public func brings(_ element: ElementDefinition, with appleElements: [String]) -> Bool {
        if element.appleElements.contains(where: appleElements.contains) { return true }
        return element.form == .ageInYears && appleElements.contains { $0.hasPrefix(AppleElement.ageAtLeast) }
    }
}

/// How Apple names an age threshold.
public enum AppleElement {
    /// The thresholds that both sides know: Apple's interface takes 1 to 125, ISO/IEC 18013-5 has two digits.
    public static let thresholds = 1...99
    /// The beginning of `age(atLeast:NN)`.
    static let ageAtLeast = "age(atLeast:"

    /// `age(atLeast:NN)`.
    public static func age(atLeast threshold: Int) -> String { ageAtLeast + String(threshold) + ")" }
}
