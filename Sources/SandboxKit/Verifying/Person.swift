import VerificationCore

/// The claims of a verified document, each as what a provider's answer is made from.
struct Person: Sendable {
    let claims: ClaimSet
    let document: DocumentFacts

    /// A My Number with a right check digit; nobody's.
    static let sampleIndividualNumber = "123456789018"

    /// The text of a claim; `nil` where the document did not tell.
    func text(_ name: String) -> String? {
        guard case .text(let text) = claims[ClaimName(name)] else { return nil }
        return text
    }

    /// A whole number.
    func integer(_ name: String) -> Int64? {
        guard case .integer(let number) = claims[ClaimName(name)] else { return nil }
        return number
    }

    /// Yes or no.
    func boolean(_ name: String) -> Bool? {
        guard case .boolean(let flag) = claims[ClaimName(name)] else { return nil }
        return flag
    }

    /// The portrait's bytes.
    var portrait: (mediaType: String, data: [UInt8])? {
        guard case .image(let mediaType, let data) = claims[ClaimName("portrait")] else { return nil }
        return (mediaType, data)
    }

    /// The same person with a マイナンバー where the municipality's code belongs: a provider that mixes up its columns.
    var withIndividualNumber: Person {
        var claims = claims
        claims[ClaimName("local_gov_code")] = .text(Person.sampleIndividualNumber)
        return Person(claims: claims, document: document)
    }
}
