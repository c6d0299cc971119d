/// A card in the wallet: what it says of its holder, and the device's key.
public struct Card: Sendable {
    /// One data element.
    public struct Element: Sendable, Hashable {
        /// Its namespace.
        public var namespace: String
        /// Its identifier.
        public var identifier: String
        /// Its value.
        public var value: Item

        /// An element.
        public init(_ namespace: String, _ identifier: String, _ value: Item) {
            self.namespace = namespace
            self.identifier = identifier
            self.value = value
        }
    }

    /// The kinds of card that the wallet holds.
    public enum Kind: String, Sendable, CaseIterable {
        /// The My Number Card.
        case jp
        /// A driving licence with the AAMVA namespace.
        case mdl

        /// Its document type.
        public var documentType: String {
            switch self {
            case .jp: Japan.documentType
            case .mdl: Licence.documentType
            }
        }
    }

    /// The document type.
    public var documentType: String
    /// The elements, in the order in which they were issued.
    public var elements: [Element]
    /// The device's key.
    public var deviceKey: PrivateKey

    /// A card.
    public init(documentType: String, elements: [Element], deviceKey: PrivateKey) {
        self.documentType = documentType
        self.elements = elements
        self.deviceKey = deviceKey
    }

    /// The value of one element.
    public subscript(_ identifier: String, in namespace: String) -> Item? {
        get { elements.first { $0.identifier == identifier && $0.namespace == namespace }?.value }
        set {
            let index = elements.firstIndex { $0.identifier == identifier && $0.namespace == namespace }
            switch (index, newValue) {
            case (let index?, let value?): elements[index].value = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append(Element(namespace, identifier, value))
            case (nil, nil): break
            }
        }
    }
}
