import JSONTree
import VerificationCore

/// Gamma's answers and notifications: nested, dates as `YYYY/MM/DD`, reasons as numbers.
enum GammaText {
    /// A check that was taken and is not finished.
    static func received(_ check: Verification, _ fault: Fault?) -> JSONValue {
        head(check, phase: "RECEIVED", fault, more: [])
    }

    /// A finished check. The second revision is the opposite of the first.
    static func result(_ check: Verification, revision: Int, _ fault: Fault?) -> JSONValue {
        let isTakenBack = check.isRevised && revision > 1
        let person = isTakenBack ? nil : check.person
        let codes = isTakenBack || check.reasons.isEmpty ? [9000] : check.reasons.map(code)
        return .object([
            (
                "check",
                head(
                    check, phase: "DONE", fault,
                    more: [
                        ("decision", .string(person == nil ? "FAIL" : "PASS")),
                        ("revision", .integer(revision)),
                        ("findings", .array(person == nil ? codes.map { .integer($0) } : [])),
                        ("finishedAt", .string(RFC3339.text(check.readyAt))),
                    ])
            ),
            ("person", person.map(people) ?? .null),
            ("document", person.map { document($0.document) } ?? .null),
        ])
    }

    /// The body of a webhook.
    static func notification(_ check: Verification, revision: Int, _ fault: Fault?) -> JSONValue {
        let named = fault == .webhookForAnother ? Fault.wrongReference : nil
        return .object([
            ("type", .string("check.completed")), ("data", result(check, revision: revision, named)),
        ])
    }

    private static func head(
        _ check: Verification, phase: String, _ fault: Fault?, more: [(String, JSONValue)]
    ) -> JSONValue {
        .object(
            [
                ("id", .string(fault == .wrongReference ? Surroundings.identifier("gchk_") : check.reference)),
                ("externalRef", .string(check.clientReference)),
                ("phase", .string(fault == .unknownStatus ? "LIMBO" : phase)),
            ] + more)
    }

    private static func people(_ person: Person) -> JSONValue {
        .object([
            ("name", .object([("full", .string(orNull: person.text("name")))])),
            (
                "birth",
                .object([
                    ("date", .string(orNull: person.text("birthdate").map { String($0.map { $0 == "-" ? "/" : $0 }) })),
                    ("age", person.integer("age_in_years").map(JSONValue.integer) ?? .null),
                    ("adult20", person.boolean("age_over_20").map(JSONValue.boolean) ?? .null),
                ])
            ),
            (
                "residence",
                .object([
                    ("text", .string(orNull: person.text("address.formatted"))),
                    ("municipality", .string(orNull: person.text("local_gov_code"))),
                ])
            ),
            ("sex", .string(orNull: person.text("gender").map { String($0.prefix(1)).uppercased() })),
            ("images", .object([("face", .string(orNull: person.portrait.map { ByteText.base64URL($0.data) }))])),
        ])
    }

    private static func document(_ document: DocumentFacts) -> JSONValue {
        .object([
            ("kind", .string("wallet/jp-mnc")), ("authority", .string(orNull: document.issuingAuthority)),
            ("signed", .string(orNull: document.signed.map { RFC3339.text($0) })),
            (
                "valid",
                .array([
                    .string(orNull: document.validFrom.map { RFC3339.text($0) }),
                    .string(orNull: document.validUntil.map { RFC3339.text($0) }),
                ])
            ),
        ])
    }

    private static func code(_ reason: Reason) -> Int {
        switch reason {
        case .evidenceMalformed: 4100
        case .envelopeUnsupported: 4101
        case .recipientKeyUnknown: 4102
        case .sessionMismatch: 4103
        case .decryptionFailed: 4104
        case .algorithmUnsupported: 4105
        case .documentTypeMismatch: 4200
        case .issuerCertificateMissing: 4300
        case .issuerUntrusted: 4301
        case .issuerCertificateInvalid: 4302
        case .issuerCertificateExpired: 4303
        case .issuerSignatureInvalid: 4304
        case .issuerCertificateRevoked: 4305
        case .documentNotYetValid: 4400
        case .documentExpired: 4401
        case .validityInconsistent: 4402
        case .documentRevoked: 4403
        case .digestMismatch: 4500
        case .elementDuplicated: 4501
        case .deviceSignatureInvalid: 4600
        case .elementMissing: 4700
        case .providerRejected: 9000
        }
    }
}
