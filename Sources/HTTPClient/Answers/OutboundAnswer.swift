public import VerificationCore

/// What came back, whole: a status, the fields, the body after decompression. A redirect is an answer like any other,
/// and nothing was sent to where it points.
public struct OutboundAnswer: Sendable {
    /// The status, 200 to 599.
    public let status: Int
    /// The fields of the final head, in order.
    public let headers: OutboundHeaders
    /// The body, empty where there was none.
    public let body: Sensitive<[UInt8]>
    /// How often the request was handed to a connection: more than once where the library repeated it.
    public let sends: Int

    /// An answer; tests of what reads answers make their own.
    public init(status: Int, headers: OutboundHeaders, body: Sensitive<[UInt8]>, sends: Int = 1) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sends = sends
    }
}

extension OutboundAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status alone.
    public var description: String { "HTTP \(status)" }
    /// The status alone.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The fields of an answer, found by name without regard to case.
public struct OutboundHeaders: Sendable {
    /// Every field, in the order they came.
    public internal(set) var fields: [(name: String, value: String)] = []

    init() {}

    /// Fields in their order.
    public init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
    }

    /// The value of the first field of a name.
    public subscript(_ name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }

    /// The values of all fields of a name.
    public func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}

extension OutboundHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many there are.
    public var description: String { "\(fields.count) fields" }
    /// How many there are.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
