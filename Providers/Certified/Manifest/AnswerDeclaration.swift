import VerificationCore

/// Where an answer has what we read of it. Every pointer is optional but those that outcomes need.
struct AnswerDeclaration: Sendable {
    /// The provider's reference; it must be ours where we know it already.
    var reference: ReferencePlace = .undeclared
    /// Values of the answer that must equal something of ours, such as our session's name.
    var echoes: [Echo] = []
    /// What is kept for later steps, by name.
    var keeps: [(name: String, pointer: JSONPointer)] = []
    /// The nonce, of a `begin` whose provider makes it.
    var nonce: JSONPointer?
    /// Whether a verdict is final; one that is not is still pending.
    var final: Condition?
    var claims: [ClaimSource] = []
    var document = DocumentPlaces()
    /// What the provider states of single checks.
    var checks: [CheckSource] = []
    /// The certified program that verified.
    var program: JSONPointer?
    var programVersion: JSONPointer?
    /// The time of the event that the provider bills by.
    var eventTime: TimePlace?
    /// When to ask again, beside the header `Retry-After`.
    var retryAfter: PausePlace?
}

/// Where an answer has the provider's reference.
enum ReferencePlace: Sendable, Hashable {
    case undeclared
    /// The provider does not repeat it: nothing shows that the answer is ours but the request that it answers.
    case notStated
    case at(JSONPointer)
}

/// A value of an answer that must equal a text of ours.
struct Echo: Sendable {
    var pointer: JSONPointer
    var template: TextTemplate
}

/// Where an instant stands.
struct TimePlace: Sendable, Hashable {
    var pointer: JSONPointer
    var form: TimeForm
}

/// Where a pause stands.
struct PausePlace: Sendable, Hashable {
    var pointer: JSONPointer
    var form: Form

    enum Form: String, Sendable, CaseIterable, Hashable {
        case seconds, milliseconds, rfc3339
    }
}

/// Where facts about the document stand.
struct DocumentPlaces: Sendable, Hashable {
    /// The document type in the provider's words; it must be the session's.
    var type: JSONPointer?
    var issuingCountry: JSONPointer?
    var issuingAuthority: JSONPointer?
    var signed: TimePlace?
    var validFrom: TimePlace?
    var validUntil: TimePlace?

    var isEmpty: Bool { self == DocumentPlaces() }
}

/// Where a value stands: below a pointer, or below it in the one record of a list that matches.
struct ValuePlace: Sendable, Hashable {
    /// The list of records, where there is one.
    var list: JSONPointer?
    /// What the record must hold.
    var matches: [Match] = []
    /// The value, from the root or from the record.
    var pointer: JSONPointer

    struct Match: Sendable, Hashable {
        var pointer: JSONPointer
        var value: JSONScalar
    }
}

/// One source of one claim. A claim may have several: the first that holds something wins.
struct ClaimSource: Sendable {
    var claim: ClaimName
    var place: ValuePlace
    var form: ClaimForm
    /// Our value for each of the provider's; a value that is not named is a protocol error. Empty leaves it as it is.
    var values: [String: ClaimValue]
    /// The documents that it is read for; `nil` for all.
    var documents: Set<String>?
}

/// How a claim's value is read.
enum ClaimForm: Sendable, Hashable {
    case text
    case boolean
    case integer
    case date(DatePattern)
    /// Base64 of either alphabet, also as a `data:` URL; the media type is found from the first bytes.
    case image
    /// Text, numbers, Booleans, lists and records as they stand.
    case any
}

/// What the provider states of one check.
struct CheckSource: Sendable {
    var check: CheckName
    var pointer: JSONPointer
    /// What each code means; one that is not named is a protocol error, one that is missing is `not_checked`.
    var codes: [String: CheckOutcome]
}
