import VerificationCore

extension Examination {
    /// `elements`: keeps what the purpose allows, drops and reports the rest, and fails where something required is missing. A
    /// document that was not asked for is not measured by what was.
    mutating func checkElements(_ document: UnverifiedDocument) {
        var ageInYears: Int64?
        let definition = DocumentCatalog.definition(of: document.documentType)
        lazy var requested = definition?.appleElements(for: purpose.claims) ?? []
        claims.reserveCapacity(purpose.claims.count)
        for item in document.issuerSigned.items {
            // Before anything else, whatever the document: no value of it is ever looked at.
            if ForbiddenElements.contains(elementIdentifier: item.elementIdentifier) {
                note(.individualNumberReceived)
                continue
            }
            let name = ElementName(namespace: item.namespace, identifier: item.elementIdentifier)
            guard let element = definition?.element(name) else {
                note(.unrequestedElementReceived)
                continue
            }
            if element.form == .ageInYears { ageInYears = ElementValue.age(item.elementValue) }
            guard purpose.claims.contains(element.claim) else {
                if definition?.brings(element, with: requested) != true { note(.unrequestedElementReceived) }
                continue
            }
            keep(item, as: element)
        }
        for identifier in document.deviceSigned.elementIdentifiers
        where ForbiddenElements.contains(elementIdentifier: identifier) {
            note(.individualNumberReceived)
        }
        if configuration.derivesAges, let ageInYears { deriveAges(from: ageInYears) }
        guard isAllowed(document.documentType) else { return }
        settle(.elements, purpose.requiredClaims.allSatisfy { claims[$0] != nil } ? nil : .elementMissing)
    }

    private mutating func keep(_ item: IssuerSignedItem, as element: ElementDefinition) {
        guard claims[element.claim] == nil, let value = ElementValue.claim(item.elementValue, as: element) else {
            return
        }
        claims[element.claim] = value
    }

    /// Apple asks for the age where the issuer has not signed the threshold; the age answers for all of them.
    private mutating func deriveAges(from age: Int64) {
        for claim in purpose.claims where claims[claim] == nil {
            guard let threshold = claim.ageThreshold else { continue }
            claims[claim] = .boolean(age >= Int64(threshold))
        }
    }
}
