import VerificationCore

/// A value on its way into a statement.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// A number of rows; none for less than none.
    static func limit(_ count: Int) -> SQLValue { .integer(Int64(max(0, count))) }

    static func text(orNull value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
    static func integer(orNull value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }
    static func time(_ value: Timestamp) -> SQLValue { .integer(value.milliseconds) }
    static func time(orNull value: Timestamp?) -> SQLValue { value.map { .integer($0.milliseconds) } ?? .null }
    static func blob(orNull value: [UInt8]?) -> SQLValue { value.map { .blob($0) } ?? .null }
}
