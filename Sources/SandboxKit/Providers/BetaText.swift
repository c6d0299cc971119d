import JSONTree
import VerificationCore

/// Beta's answers: attributes as a list of names and values, reasons as words of its own, several of ours in one.
enum BetaText {
    /// What is said while the work goes on.
    static func pending(_ id: String, _ fault: Fault?) -> JSONValue {
        .object([
            ("id", .string(fault == .wrongReference ? Surroundings.identifier("bv_") : id)),
            ("state", .string(fault == .unknownStatus ? "dreaming" : "processing")),
        ])
    }

    /// The result, which was told `told` times before. A revised one is not final the first time, and then the opposite.
    static func result(_ verification: Verification, told: Int, _ fault: Fault?) -> JSONValue {
        let isTakenBack = verification.isRevised && told > 0
        let person = isTakenBack ? nil : verification.person
        let codes = isTakenBack ? ["MANUAL_REVIEW"] : words(verification.reasons)
        let id = fault == .wrongReference ? Surroundings.identifier("bv_") : verification.reference
        return .object([
            ("id", .string(id)),
            ("state", .string(fault == .unknownStatus ? "dreaming" : "finished")),
            ("outcome", .string(person == nil ? "declined" : "approved")),
            ("final", .boolean(!verification.isRevised || told > 0)),
            ("decline_codes", .array(person == nil ? codes.map { .object([("code", .string($0))]) } : [])),
            ("finished_at", .integer(verification.readyAt.milliseconds / 1000)),
            ("client_reference", .string(verification.clientReference)),
            ("attributes", .array(person.map(attributes) ?? [])),
            ("document", person.map { document($0.document) } ?? .null),
        ])
    }

    private static func document(_ document: DocumentFacts) -> JSONValue {
        .object([
            ("type", .string("jp.my-number-card")), ("country", .string(orNull: document.issuingCountry)),
            ("signed_at", document.signed.map { .integer($0.milliseconds) } ?? .null),
            ("expires_at", document.validUntil.map { .integer($0.milliseconds) } ?? .null),
        ])
    }

    private static func attributes(_ person: Person) -> [JSONValue] {
        let all: [(String, JSONValue?)] = [
            ("FULL_NAME", person.text("name").map(JSONValue.string)),
            ("ADDRESS_LINE", person.text("address.formatted").map(JSONValue.string)),
            ("MUNICIPALITY", person.text("local_gov_code").map(JSONValue.string)),
            ("DATE_OF_BIRTH", person.text("birthdate").map { .string(dayFirst($0)) }),
            ("SEX", person.text("gender").map { .string($0.uppercased()) }),
            ("AGE", person.integer("age_in_years").map { .string(String($0)) }),
            ("IS_20_OR_OLDER", person.boolean("age_over_20").map(JSONValue.boolean)),
            (
                "PHOTO",
                person.portrait.map { .string("data:\($0.mediaType);base64,\(ByteText.base64($0.data))") }
            ),
        ]
        return all.compactMap { name, value in value.map { .object([("name", .string(name)), ("value", $0)]) } }
    }

    /// `DD.MM.YYYY`; a date that is not whole as it is.
    private static func dayFirst(_ date: String) -> String {
        let parts = date.split(separator: "-")
        return parts.count == 3 ? "\(parts[2]).\(parts[1]).\(parts[0])" : date
    }

    private static func words(_ reasons: [Reason]) -> [String] {
        var seen: Set<String> = []
        let words = reasons.map(word).filter { seen.insert($0).inserted }
        return words.isEmpty ? ["MANUAL_REVIEW"] : words
    }

    private static func word(_ reason: Reason) -> String {
        switch reason {
        case .evidenceMalformed, .envelopeUnsupported, .decryptionFailed, .algorithmUnsupported,
            .validityInconsistent:
            "CREDENTIAL_UNREADABLE"
        case .recipientKeyUnknown, .sessionMismatch: "CREDENTIAL_NOT_FOR_THIS_SESSION"
        case .documentTypeMismatch: "WRONG_DOCUMENT"
        case .issuerCertificateMissing, .issuerUntrusted, .issuerCertificateInvalid, .issuerCertificateExpired:
            "ISSUER_NOT_TRUSTED"
        case .issuerSignatureInvalid: "ISSUER_SIGNATURE"
        case .documentNotYetValid: "CREDENTIAL_NOT_YET_VALID"
        case .documentExpired: "CREDENTIAL_EXPIRED"
        case .digestMismatch, .elementDuplicated: "CREDENTIAL_TAMPERED"
        case .deviceSignatureInvalid: "DEVICE_NOT_PROVEN"
        case .issuerCertificateRevoked, .documentRevoked: "CREDENTIAL_REVOKED"
        case .elementMissing: "CREDENTIAL_INCOMPLETE"
        case .providerRejected: "MANUAL_REVIEW"
        }
    }
}
