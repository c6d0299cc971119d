/// A distinguished name (RFC 5280 section 4.1.2.4), one attribute each RDN.
public struct DistinguishedName: Sendable, Hashable {
    /// One attribute.
    public struct Attribute: Sendable, Hashable {
        /// The type's dotted identifier.
        public var type: String
        /// The value's text.
        public var value: String
    }

    /// The attributes, in order.
    public var attributes: [Attribute]

    /// A name of country, state, organisation and common name, each left out where `nil`.
    public init(country: String? = nil, state: String? = nil, organisation: String? = nil, commonName: String? = nil) {
        let parts = [("2.5.4.6", country), ("2.5.4.8", state), ("2.5.4.10", organisation), ("2.5.4.3", commonName)]
        attributes = parts.compactMap { type, value in value.map { Attribute(type: type, value: $0) } }
    }

    /// The same name with its RDNs in the other order, as one real authority has it.
    public var reversed: DistinguishedName {
        var name = self
        name.attributes.reverse()
        return name
    }

    var der: [UInt8] {
        DER.sequence(
            of: attributes.map { attribute in
                // countryName is a PrintableString (RFC 5280 appendix A.1).
                let tag: UInt8 = attribute.type == "2.5.4.6" ? 0x13 : 0x0C
                return DER.set(DER.sequence(DER.oid(attribute.type), DER.element(tag, Array(attribute.value.utf8))))
            })
    }
}
