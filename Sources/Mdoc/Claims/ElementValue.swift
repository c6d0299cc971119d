import CBOR
import VerificationCore

/// Turns values of elements into values of claims.
enum ElementValue {
    /// No person is older; a larger number is no age.
    static let greatestAge: Int64 = 150

    /// The value of a claim; `nil` where the element holds nothing that its form allows. `null` is nothing; zero, false and
    /// empty text are something.
    static func claim(_ value: CBORItem, as element: ElementDefinition) -> ClaimValue? {
        switch element.form {
        case .plain: element.claim.ageThreshold == nil ? plain(value) : boolean(value)
        case .date: DateElement.text(value).map(ClaimValue.text)
        case .sex: sex(value)
        case .image: image(value)
        case .ageInYears: age(value).map(ClaimValue.integer)
        }
    }

    /// An age in whole years.
    static func age(_ value: CBORItem) -> Int64? {
        guard let years = try? value.integer(), (0...greatestAge).contains(years) else { return nil }
        return years
    }

    private static func boolean(_ value: CBORItem) -> ClaimValue? {
        (try? value.boolean()).map(ClaimValue.boolean)
    }

    /// ISO/IEC 5218: 0 is an answer, not an absence. A code that the table does not have is kept as it is.
    private static func sex(_ value: CBORItem) -> ClaimValue? {
        guard let code = try? value.integer() else { return (try? value.text()).map(ClaimValue.text) }
        return switch code {
        case 0: .text("not_known")
        case 1: .text("male")
        case 2: .text("female")
        case 9: .text("not_applicable")
        default: .integer(code)
        }
    }

    private static func image(_ value: CBORItem) -> ClaimValue? {
        guard let data = try? value.bytes(), !data.isEmpty else { return nil }
        return .image(mediaType: MediaType.of(data), data: Array(data))
    }

    /// A value as it stands. The depth of the recursion is the reader's own limit of nesting.
    private static func plain(_ value: CBORItem) -> ClaimValue? {
        switch value.kind {
        case .text: (try? value.text()).map(ClaimValue.text)
        case .unsigned, .negative:
            (try? value.integer()).map(ClaimValue.integer) ?? (try? value.unsigned()).map { .text(String($0)) }
        case .boolean: boolean(value)
        case .bytes: image(value)
        case .array: .list(value.items.compactMap(plain))
        case .map: .record(value.pairs.compactMap { member($0.key, $0.value) })
        case .tag: DateElement.text(value).map(ClaimValue.text)
        case .null, .undefined, .simple, .float: nil
        }
    }

    private static func member(_ key: CBORItem, _ value: CBORItem) -> ClaimMember? {
        guard let name = (try? key.text()) ?? (try? key.integer()).map({ String($0) }), let value = plain(value) else {
            return nil
        }
        return ClaimMember(name: name, value: value)
    }
}
