import JSONTree
import VerificationCore

/// Alpha's answers: flat, in romanised Japanese.
enum AlphaText {
    /// The result of a verification. A revised one says at first that it is not yet settled, and later the opposite.
    static func result(_ verification: Verification, isFinal: Bool, fault: Fault?) -> JSONValue {
        let isTakenBack = verification.isRevised && isFinal
        let person = isTakenBack ? nil : verification.person
        let codes = isTakenBack ? ["E999"] : verification.reasons.map(code)
        let reference = fault == .wrongReference ? Surroundings.identifier("ses_") : verification.clientReference
        return .object([
            ("kekka", .string(fault == .unknownStatus ? "HORYU" : person == nil ? "NG" : "OK")),
            ("kekkaCode", .string(person == nil ? (codes.first ?? "E999") : "0000")),
            ("riyu", .array((person == nil && codes.isEmpty ? ["E999"] : codes).map { .string($0) })),
            ("kakutei", .boolean(isFinal)),
            ("uketsukeBango", .string(reference)),
            ("kanriBango", .string(verification.reference)),
            ("shoriNichiji", .string(nichiji(verification.at))),
            ("program", .string("AlphaKakunin")), ("programBan", .string("3.2.1")),
            ("shorui", person.map { shorui($0.document) } ?? .null),
            ("komoku", person.map { komoku($0, verification.asked) } ?? .null),
        ])
    }

    /// RFC 3339 with Japan's offset.
    private static func nichiji(_ time: Timestamp) -> String {
        RFC3339.text(time.advanced(by: .seconds(9 * 3600)), fraction: false).dropLast() + "+09:00"
    }

    private static func shorui(_ document: DocumentFacts) -> JSONValue {
        .object([
            ("shubetsu", .string("JPMNC")), ("kuni", .string(orNull: document.issuingCountry)),
            ("hakkosha", .string(orNull: document.issuingAuthority)),
            ("hakkobi", .string(orNull: document.signed.map(nichiji))),
            ("yukoKaishi", .string(orNull: document.validFrom.map(nichiji))),
            ("yukoKigen", .string(orNull: document.validUntil.map(nichiji))),
        ])
    }

    /// What the document says, as far as it was asked for; members that it does not have are left out.
    private static func komoku(_ person: Person, _ asked: Set<String>?) -> JSONValue {
        let all: [(String, JSONValue?)] = [
            ("shimei", person.text("name").map(JSONValue.string)),
            ("jusho", person.text("address.formatted").map(JSONValue.string)),
            ("jichitaiCode", person.text("local_gov_code").map(JSONValue.string)),
            ("seinengappi", person.text("birthdate").map { .string($0.filter { $0 != "-" }) }),
            ("seinengappiHyoki", person.text("birthdate_text").map(JSONValue.string)),
            ("seibetsu", person.text("gender").map { .string(sex($0)) }),
            ("seibetsuHyoki", person.text("gender_text").map(JSONValue.string)),
            ("nenrei", person.integer("age_in_years").map(JSONValue.integer)),
            ("hatachiIjo", person.boolean("age_over_20").map { .string($0 ? "1" : "0") }),
            ("kaoShashin", person.portrait.map { .string(ByteText.base64($0.data)) }),
        ]
        return .object(
            all.compactMap { name, value in
                guard let value, asked?.contains(name) ?? true else { return nil }
                return (name, value)
            })
    }

    private static func sex(_ gender: String) -> String {
        switch gender {
        case "male": "1"
        case "female": "2"
        default: "9"
        }
    }

    private static func code(_ reason: Reason) -> String {
        switch reason {
        case .evidenceMalformed: "E101"
        case .envelopeUnsupported: "E102"
        case .recipientKeyUnknown: "E103"
        case .sessionMismatch: "E104"
        case .decryptionFailed: "E105"
        case .algorithmUnsupported: "E110"
        case .documentTypeMismatch: "E201"
        case .issuerCertificateMissing: "E301"
        case .issuerUntrusted: "E302"
        case .issuerCertificateInvalid: "E303"
        case .issuerCertificateExpired: "E304"
        case .issuerSignatureInvalid: "E305"
        case .issuerCertificateRevoked: "E306"
        case .documentNotYetValid: "E401"
        case .documentExpired: "E402"
        case .validityInconsistent: "E403"
        case .digestMismatch: "E404"
        case .elementDuplicated: "E405"
        case .deviceSignatureInvalid: "E406"
        case .documentRevoked: "E407"
        case .elementMissing: "E408"
        case .providerRejected: "E999"
        }
    }
}
