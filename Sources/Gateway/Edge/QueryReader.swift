import VerificationCore

/// A request's query, read field by field; whatever was not read is unknown, and refused.
struct QueryReader {
    private var pairs: [(name: String, value: String)]

    init(_ query: [(String, String)]) {
        pairs = query.map { (name: $0.0, value: $0.1) }
    }

    /// Every value of a name.
    mutating func values(_ name: String) -> [String] {
        defer { pairs.removeAll { $0.name == name } }
        return pairs.filter { $0.name == name }.map(\.value)
    }

    /// The one value of a name, if it is there.
    mutating func value(_ name: String) throws(Problem) -> String? {
        let values = values(name)
        guard values.count <= 1 else { throw Problem(.requestInvalid, "\(name) stands more than once") }
        return values.first
    }

    /// A whole number in decimal digits.
    mutating func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try value(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw Problem(
                .requestInvalid,
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// An instant.
    mutating func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = try value(name) else { return nil }
        guard let time = RFC3339.timestamp(text) else {
            throw Problem(.requestInvalid, "\(name) must be a time such as 2026-11-30T09:00:00Z")
        }
        return time
    }

    /// A day.
    mutating func date(_ name: String) throws(Problem) -> CivilDate? {
        guard let text = try value(name) else { return nil }
        guard let date = CivilDate(text) else {
            throw Problem(.requestInvalid, "\(name) must be a day such as 2026-11-30")
        }
        return date
    }

    /// One of a closed set.
    mutating func enumeration<Value: RawRepresentable & CaseIterable>(
        _ name: String, as type: Value.Type
    ) throws(Problem) -> Value? where Value.RawValue == String {
        guard let text = try value(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw Problem(
                .requestInvalid, "\(name) must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return value
    }

    /// Refuses what nobody asked for. The names are the caller's and are not repeated.
    func rejectUnknown(known: String) throws(Problem) {
        guard pairs.isEmpty else { throw Problem(.requestInvalid, "the query parameters are: \(known)") }
    }
}
