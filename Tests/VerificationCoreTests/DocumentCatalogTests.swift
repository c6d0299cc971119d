import Testing
import VerificationCore

@Suite struct DocumentCatalogTests {
    private func elements(_ claims: String...) -> [String] {
        DocumentCatalog.myNumberCard.appleElements(for: Set(claims.map { ClaimName($0) }))
    }

    @Test func `each element is asked for once, in the document's order`() {
        #expect(
            elements("portrait", "name", "local_gov_code", "address.formatted")
                == ["givenName", "familyName", "portrait", "address"])
        #expect(elements().isEmpty)
    }

    @Test func `thresholds are asked for in order, and not beside the age that answers for all of them`() {
        #expect(elements("age_over_65", "age_over_20") == ["age(atLeast:20)", "age(atLeast:65)"])
        #expect(elements("age_over_20", "age_in_years") == ["age"])
    }

    @Test func `nothing that can be configured asks for a マイナンバー`() {
        for definition in DocumentCatalog.documents {
            let all = Set(definition.elements.map(\.claim))
            let asked = definition.appleElements(for: all)
            if definition.type == DocumentCatalog.myNumberCard.type { #expect(!asked.contains("documentNumber")) }
            for element in definition.elements {
                #expect(!ForbiddenElements.contains(elementIdentifier: element.name.identifier))
            }
        }
    }
}
