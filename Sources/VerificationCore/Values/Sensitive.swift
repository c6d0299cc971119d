/// A value about a person, or a secret, that no log, description, mirror or encoder can show.
///
/// The value is read only through ``withValue(_:)``, so every place that uses it can be found by name. The type has
/// no `Encodable` conformance on purpose.
public struct Sensitive<Value: Sendable>: Sendable {
    private let value: Value

    /// Wraps a value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Lends the value to `body` and returns what it returns.
    public func withValue<Result, Failure: Error>(_ body: (Value) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(value)
    }

    /// A sensitive value computed from this one.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Sensitive<Other> {
        Sensitive<Other>(try transform(value))
    }
}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same three signs.
    public var description: String { "***" }
    /// Always the same three signs.
    public var debugDescription: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
