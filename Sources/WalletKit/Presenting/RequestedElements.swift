/// What the wallet returns for a `PKIdentityElement`: often more than one data element.
enum RequestedElements {
    /// What the card gives for these names, in the card's order.
    static func select(_ names: [String], from card: Card) -> [Card.Element] {
        var wanted: Set<String> = []
        for name in names {
            if let threshold = ageThreshold(name) {
                let identifier = "age_over_" + threshold
                // A threshold that the issuer did not sign is answered by the age.
                wanted.insert(card.elements.contains { $0.identifier == identifier } ? identifier : "age_in_years")
            } else {
                wanted.formUnion((card.documentType == Card.Japan.documentType ? japan : licence)[name] ?? [])
            }
        }
        return card.elements.filter { element in
            guard wanted.contains(element.identifier) else { return false }
            // AAMVA has a `sex` of its own; the wallet returns the standard's.
            return !(element.namespace == Card.Licence.aamvaNamespace && element.identifier == "sex")
        }
    }

    /// The NN of `age(atLeast:NN)` in whatever spelling; `nil` for any other name.
    private static func ageThreshold(_ name: String) -> String? {
        let digits = name.filter(\.isNumber)
        guard name.hasPrefix("age"), !digits.isEmpty else { return nil }
        return String(repeating: "0", count: max(0, 2 - digits.count)) + digits
    }

    /// Apple, PKIdentityNationalIDCardDescriptor. `documentNumber` is the My Number: a harmless name for it.
    private static let japan: [String: Set<String>] = [
        "givenName": ["full_name_unicode"],
        "familyName": ["full_name_unicode"],
        "portrait": ["portrait"],
        "address": ["resident_address_unicode", "local_gov_code_unicode"],
        "dateOfBirth": ["birth_date", "birth_date_unicode"],
        "sex": ["sex", "sex_unicode"],
        "age": ["age_in_years"],
        "documentNumber": ["individual_number_unicode"],
    ]

    /// Apple, PKIdentityDriversLicenseDescriptor.
    private static let licence: [String: Set<String>] = [
        "givenName": ["given_name", "given_name_truncation"],
        "familyName": ["family_name", "family_name_truncation"],
        "portrait": ["portrait"],
        "address": [
            "resident_address", "resident_city", "resident_state", "resident_postal_code", "resident_country",
        ],
        "issuingAuthority": ["issuing_authority", "issuing_country", "un_distinguishing_sign"],
        "documentExpirationDate": ["expiry_date"],
        "documentIssueDate": ["issue_date"],
        "documentNumber": ["document_number"],
        "drivingPrivileges": ["driving_privileges", "domestic_driving_privileges"],
        "age": ["age_in_years"],
        "dateOfBirth": ["birth_date"],
        "sex": ["sex"],
        "documentDHSComplianceStatus": ["DHS_compliance"],
        "organDonorStatus": ["organ_donor"],
    ]
}
