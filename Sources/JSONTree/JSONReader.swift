/// Reads a value of a tree into something typed and notes every problem on the way, so that a person sees all at once.
///
/// A method that returns `nil` for a value that is there, or that must be there, has noted why.
public final class JSONReader {
    /// The value.
    public let node: JSONNode
    /// Its place in the tree.
    public let path: String
    /// Where problems go.
    public let problems: JSONProblemList
    private let line: Int
    private var asked: [String] = []

    /// A reader of a value.
    public init(_ node: JSONNode, path: String = "", problems: JSONProblemList) {
        self.node = node
        self.path = path
        self.problems = problems
        self.line = node.line
    }

    /// Notes a problem of this value.
    public func report(_ problem: String) {
        problems.append(JSONProblem(path: path, line: line, problem: problem))
    }

    /// Notes a problem of a member of this object, whether it is there or not.
    public func report(_ problem: String, member name: String) {
        let line = node.members?.first { $0.name == name }?.line ?? line
        problems.append(JSONProblem(path: JSONPath.member(name, of: path), line: line, problem: problem))
    }

    /// A reader of a member, or `nil` without a problem where there is none. `null` is there.
    public func optional(_ name: String) -> JSONReader? {
        asked.append(name)
        guard let value = node[name] else { return nil }
        return JSONReader(value, path: JSONPath.member(name, of: path), problems: problems)
    }

    /// A reader of a member that must be there.
    public func required(_ name: String) -> JSONReader? {
        if let reader = optional(name) { return reader }
        if node.members != nil {
            problems.append(JSONProblem(path: JSONPath.member(name, of: path), line: line, problem: "is missing"))
        }
        return nil
    }

    /// Names members that another reader of this object asks for, so that they are no unknown keys here.
    public func leave(_ names: [String]) {
        asked.append(contentsOf: names)
    }

    /// Whether this value is an object; notes the problem where not.
    @discardableResult
    public func isObject() -> Bool {
        if node.members != nil { return true }
        report("must be an object, not \(node.kindName)")
        return false
    }

    /// Readers of all members of an object that serves as a dictionary, in order.
    public func entries() -> [(name: String, reader: JSONReader)] {
        guard isObject() else { return [] }
        return (node.members ?? []).map {
            ($0.name, JSONReader($0.value, path: JSONPath.member($0.name, of: path), problems: problems))
        }
    }

    /// Readers of all elements of an array, in order.
    public func elements() -> [JSONReader]? {
        guard let elements = node.elements else {
            report("must be an array, not \(node.kindName)")
            return nil
        }
        return elements.enumerated().map {
            JSONReader($1, path: JSONPath.element($0, of: path), problems: problems)
        }
    }

    /// Notes every member that was never asked for, with the nearest name that is known.
    public func rejectUnknownKeys() {
        for member in node.members ?? [] where !asked.contains(member.name) {
            let nearest = NearestName.of(member.name, among: asked)
            let hint = nearest.map { "; did you mean \($0)?" } ?? ""
            problems.append(
                JSONProblem(
                    path: JSONPath.member(member.name, of: path), line: member.line,
                    problem: "is not a known key\(hint)"))
        }
    }
}

extension JSONReader {
    /// The text of a string of at most `limit` characters.
    public func string(limit: Int = .max) -> String? {
        guard let text = node.string else {
            report("must be a string, not \(node.kindName)")
            return nil
        }
        if text.unicodeScalars.count > limit {
            report("is longer than \(limit) characters")
            return nil
        }
        return text
    }

    /// True or false, and nothing that only means it.
    public func boolean() -> Bool? {
        if case .boolean(let value) = node.kind { return value }
        report("must be true or false, not \(node.kindName)")
        return nil
    }

    /// A whole number within a range: no fraction, no exponent, no string that holds one.
    public func integer(in range: ClosedRange<Int64>) -> Int64? {
        guard case .number(let number) = node.kind else {
            report("must be a whole number, not \(node.kindName)")
            return nil
        }
        guard let value = number.integer else {
            report("must be a whole number from \(range.lowerBound) to \(range.upperBound), written in digits alone")
            return nil
        }
        guard range.contains(value) else {
            report("must be from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    /// One of the values of an enumeration, by its raw text.
    public func enumeration<Value: RawRepresentable & CaseIterable>(
        as type: Value.Type = Value.self
    ) -> Value? where Value.RawValue == String {
        guard let text = string() else { return nil }
        if let value = Value(rawValue: text) { return value }
        let names = Value.allCases.map(\.rawValue)
        let hint = NearestName.of(text, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        report("must be one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))\(hint)")
        return nil
    }
}

extension JSONReader {
    /// The string of a member that must be there.
    public func string(_ name: String, limit: Int = .max) -> String? { required(name)?.string(limit: limit) }

    /// The string of a member that may be there.
    public func optionalString(_ name: String, limit: Int = .max) -> String? { optional(name)?.string(limit: limit) }

    /// The whole number of a member that must be there.
    public func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? { required(name)?.integer(in: range) }

    /// The whole number of a member that may be there.
    public func optionalInteger(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        optional(name)?.integer(in: range)
    }

    /// The boolean of a member that must be there.
    public func boolean(_ name: String) -> Bool? { required(name)?.boolean() }

    /// The boolean of a member that may be there.
    public func optionalBoolean(_ name: String) -> Bool? { optional(name)?.boolean() }

    /// A reader of an object that must be there.
    public func object(_ name: String) -> JSONReader? {
        guard let reader = required(name), reader.isObject() else { return nil }
        return reader
    }

    /// A reader of an object that may be there.
    public func optionalObject(_ name: String) -> JSONReader? {
        guard let reader = optional(name), reader.isObject() else { return nil }
        return reader
    }

    /// Readers of the elements of an array that must be there.
    public func array(_ name: String) -> [JSONReader]? { required(name)?.elements() }

    /// Readers of the elements of an array that may be there.
    public func optionalArray(_ name: String) -> [JSONReader]? { optional(name)?.elements() }

    /// One of an enumeration's values, of a member that must be there.
    public func enumeration<Value: RawRepresentable & CaseIterable>(
        _ name: String, as type: Value.Type = Value.self
    ) -> Value? where Value.RawValue == String {
        required(name)?.enumeration()
    }

    /// One of an enumeration's values, of a member that may be there.
    public func optionalEnumeration<Value: RawRepresentable & CaseIterable>(
        _ name: String, as type: Value.Type = Value.self
    ) -> Value? where Value.RawValue == String {
        optional(name)?.enumeration()
    }
}
