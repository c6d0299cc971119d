/// A value of a JSON or JSON5 text, with the place where it stands.
///
/// Everything that a decoder would hide is kept: the order of members, the exact text of numbers, and `null`, which is
/// not the same as a member that is missing.
public struct JSONNode: Sendable {
    /// The kinds of value.
    public indirect enum Kind: Sendable {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    /// The value.
    public let kind: Kind
    /// The line on which it begins, from 1.
    public let line: Int
    /// The byte of the line at which it begins, from 1.
    public let column: Int

    /// A value at a place.
    public init(kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }

    /// The members of an object, in order; `nil` for any other value.
    public var members: [JSONMember]? {
        if case .object(let members) = kind { members } else { nil }
    }

    /// The elements of an array, in order; `nil` for any other value.
    public var elements: [JSONNode]? {
        if case .array(let elements) = kind { elements } else { nil }
    }

    /// The text of a string; `nil` for any other value.
    public var string: String? {
        if case .string(let text) = kind { text } else { nil }
    }

    /// The value of an object's member; `nil` where there is none.
    public subscript(_ name: String) -> JSONNode? {
        members?.first { $0.name == name }?.value
    }

    /// What the value is, in words for a message; nothing of the value itself.
    public var kindName: String {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A member of an object, with the place of its name.
public struct JSONMember: Sendable {
    /// The name, with its escapes resolved.
    public let name: String
    /// The line on which the name begins, from 1.
    public let line: Int
    /// The byte of the line at which the name begins, from 1.
    public let column: Int
    /// The value.
    public let value: JSONNode

    /// A member.
    public init(name: String, line: Int, column: Int, value: JSONNode) {
        self.name = name
        self.line = line
        self.column = column
        self.value = value
    }
}

/// Which of the two grammars is read.
public enum JSONSyntax: Sendable, Hashable, CaseIterable {
    /// RFC 8259, for whatever other programs send.
    case json
    /// JSON5 1.0, for what people write.
    case json5
}
