/// How the value of an element is read.
public enum ElementForm: Sendable, Hashable {
    /// As it stands: text, number, Boolean, list or record.
    case plain
    /// A calendar date (tag 1004, tag 0, text, or a map with `birth_date`), kept as text; an incomplete one too.
    case date
    /// A sex code of ISO/IEC 5218; written as `not_known`, `male`, `female` or `not_applicable`.
    case sex
    /// The bytes of an image; its media type is found from its first bytes.
    case image
    /// An age in whole years, which also answers for every `age_over_NN`.
    case ageInYears
}

/// One data element of a document and the claim it becomes.
public struct ElementDefinition: Sendable, Hashable {
    /// Where the element stands.
    public let name: ElementName
    /// The claim that it becomes.
    public let claim: ClaimName
    /// How its value is read.
    public let form: ElementForm
    /// The names of Apple's `PKIdentityElement` that bring it; the wallet brings some elements with others.
    public let appleElements: [String]

    /// A definition.
    public init(
        _ namespace: String, _ identifier: String, claim: String, _ form: ElementForm = .plain, apple: [String]
    ) {
        self.name = ElementName(namespace: namespace, identifier: identifier)
        self.claim = ClaimName(claim)
        self.form = form
        self.appleElements = apple
    }
}

/// The full name of a data element. The same identifier means different things in different namespaces and documents.
public struct ElementName: Sendable, Hashable {
    /// The namespace.
    public let namespace: String
    /// The identifier within it.
    public let identifier: String

    /// A name.
    public init(namespace: String, identifier: String) {
        self.namespace = namespace
        self.identifier = identifier
    }
}
