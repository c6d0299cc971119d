/// The fields of a message, in the order they came, found by name without regard to case.
public struct HTTPHeaders: Sendable {
    /// Every field.
    public private(set) var fields: [(name: String, value: String)]

    /// No fields, or those given.
    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The value of the first field of a name.
    public subscript(_ name: String) -> String? {
        fields.first { Self.equal($0.name, name) }?.value
    }

    /// The values of all fields of a name.
    public func values(of name: String) -> [String] {
        fields.filter { Self.equal($0.name, name) }.map(\.value)
    }

    /// Adds a field at the end.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name: name, value: value))
    }

    static func equal(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count
            && zip(one.utf8, other.utf8).allSatisfy { Bytes.lowercased($0) == Bytes.lowercased($1) }
    }
}
