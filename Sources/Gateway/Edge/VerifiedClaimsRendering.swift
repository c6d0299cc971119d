import JSONTree
import VerificationCore

/// A verified result as `verified_claims` of OpenID Connect for Identity Assurance (Schema Definition 1.0).
enum VerifiedClaimsRendering {
    /// OpenID Connect's own claims; what else a document holds has no place in this form.
    private static let standard: Set<String> = ["name", "family_name", "given_name", "birthdate", "gender"]
    private static let address: Set<String> = [
        "formatted", "street_address", "locality", "region", "postal_code", "country",
    ]

    static func verifiedClaims(
        _ record: SessionRecord, purpose: Purpose, framework: String, claims: ClaimSet, document: DocumentFacts,
        endedAt: Timestamp
    ) -> JSONValue {
        .object([
            (
                "verified_claims",
                .object([
                    (
                        "verification",
                        verification(
                            record, purpose: purpose, framework: framework, claims: claims, document: document,
                            endedAt: endedAt)
                    ),
                    ("claims", ClaimRendering.claims(claims.filter { isStandard($0.key) })),
                ])
            )
        ])
    }

    private static func isStandard(_ name: ClaimName) -> Bool {
        if standard.contains(name.rawValue) { return true }
        let prefix = "address."
        return name.rawValue.hasPrefix(prefix) && address.contains(String(name.rawValue.dropFirst(prefix.count)))
    }

    private static func verification(
        _ record: SessionRecord, purpose: Purpose, framework: String, claims: ClaimSet, document: DocumentFacts,
        endedAt: Timestamp
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [("trust_framework", .string(framework))]
        members.append(("time", SessionRendering.time(endedAt)))
        members.append(("verification_process", .string(record.id.rawValue)))
        members.append(("assurance_process", process(record, purpose)))
        var check: [(String, JSONValue)] = [("check_method", .string("vcrypt"))]
        if let holder = record.certification?.holder { check.append(("organization", .string(holder))) }
        check.append(("time", SessionRendering.time(endedAt)))
        if let reference = record.providerReference { check.append(("txn", .string(reference))) }
        members.append(
            (
                "evidence",
                .array([
                    .object([
                        ("type", .string("document")),
                        ("check_details", .array([.object(check)])),
                        ("time", SessionRendering.time(endedAt)),
                        ("document_details", details(document, claims: claims)),
                    ])
                ])
            ))
        return .object(members)
    }

    /// The method that the law names, with the date of the text it was read from: its letters move.
    private static func process(_ record: SessionRecord, _ purpose: Purpose) -> JSONValue {
        // Sessions of earlier versions keep none: theirs stands in the purpose.
        guard let method = record.legalMethod ?? purpose.legalMethod else {
            return .object([("policy", .string(purpose.id.rawValue))])
        }
        return .object([
            ("policy", .string(method.policy ?? purpose.id.rawValue)),
            ("procedure", .string("\(method.procedure) (\(method.lawAsOf))")),
        ])
    }

    private static func details(_ document: DocumentFacts, claims: ClaimSet) -> JSONValue {
        func text(_ name: String) -> String? {
            guard case .text(let text)? = claims[ClaimName(name)] else { return nil }
            return text
        }
        let isNationalCard = document.type == "org.iso.23220.1.jp.mnc"
        var members: [(String, JSONValue)] = [
            ("type", .string(isNationalCard ? "jp_individual_number_card" : "driving_permit"))
        ]
        // A My Number Card's number is never here: the element cannot be asked for and is dropped when it arrives.
        if !isNationalCard, let number = text("document_number") {
            members.append(("document_number", .string(number)))
        }
        var issuer: [(String, JSONValue)] = []
        if let authority = document.issuingAuthority { issuer.append(("name", .string(authority))) }
        if let country = document.issuingCountry { issuer.append(("country_code", .string(country))) }
        if !issuer.isEmpty { members.append(("issuer", .object(issuer))) }
        if let issued = text("issue_date") { members.append(("date_of_issuance", .string(issued))) }
        if let expires = text("expiry_date") { members.append(("date_of_expiry", .string(expires))) }
        return .object(members)
    }
}
