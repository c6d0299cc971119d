import VerificationCore

/// What an answer means where it matches.
struct OutcomeDeclaration: Sendable {
    /// The HTTP statuses; empty for a notification, which has none.
    var statuses: StatusSet
    /// What the body must say; `nil` where the status alone decides.
    var condition: Condition?
    var meaning: Meaning
    /// Whether the body may be anything, also empty.
    var ignoresBody: Bool
    /// Whether the call may have been billed although it came to nothing.
    var mayHaveBilled: Bool
    /// Whether the answer shows that it is ours, as the step's `reference` and `echoes` say. Error objects often do not.
    var statesReference = true
    var line: Int

    enum Meaning: Sendable {
        /// `begin`: the verification is open.
        case opened
        case verified
        case rejected(RejectionReasons)
        case pending
        /// Not now, for no fault of the request; it was not taken, and may be made again.
        case tryAgain
        /// The provider cannot work now; it was not taken.
        case unavailable
        /// The provider refused the request: a fault of ours or of the configuration.
        case error
        /// `fetch`: the submission never arrived.
        case neverReceived
        /// `erase`: nothing is kept there.
        case erased
    }

    /// The words for the meanings.
    enum Word: String, Sendable, CaseIterable, Hashable {
        case opened, verified, rejected, pending, unavailable, error, erased
        case tryAgain = "try_again"
        case neverReceived = "never_received"
    }
}

/// Which of our reasons a rejection has.
enum RejectionReasons: Sendable {
    /// Always this.
    case fixed(Reason)
    /// By the provider's codes.
    case mapped(ReasonSource)
}

/// Where a rejection's codes stand, and what each means.
struct ReasonSource: Sendable {
    /// A code, or a list of codes or of records.
    var pointer: JSONPointer
    /// The code within each record of the list.
    var each: JSONPointer?
    /// A code is compared as text, whether the answer has it as a string, a whole number or a Boolean.
    var codes: [String: Reason]
    /// The reason for a code that is not named; `nil` makes it a protocol error.
    var otherwise: Reason?
}

/// A set of HTTP statuses.
struct StatusSet: Sendable, Hashable {
    var statuses: Set<Int>
    /// The hundreds, such as 2 for `2xx`.
    var classes: Set<Int>

    func contains(_ status: Int) -> Bool { statuses.contains(status) || classes.contains(status / 100) }
}

/// A scalar of a JSON text, compared with its type: `"9001"` is not `9001`.
enum JSONScalar: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case text(String)
}

/// What a body must say.
indirect enum Condition: Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// The value is one of these.
    case isOneOf(JSONPointer, [JSONScalar])
    /// There is a value, and it is not null.
    case exists(JSONPointer)
    /// There is none, or it is null.
    case absent(JSONPointer)
    /// The value is a list with something in it, and all of it is so. An empty list never is.
    case every(JSONPointer, Condition)
    /// The value is a list, and something in it is so.
    case some(JSONPointer, Condition)
}
