/// A textual identifier that cannot be mistaken for one of another kind.
public struct Identifier<Kind>: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// An identifier with the given text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An identifier with the given text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// The text.
    public var description: String { rawValue }
}

/// The kinds of ``Identifier``.
public enum IdentifierKind {
    /// Of sessions.
    public enum Session {}
    /// Of attempts.
    public enum Attempt {}
    /// Of verifiers.
    public enum Verifier {}
    /// Of purposes.
    public enum Purpose {}
    /// Of clients.
    public enum Client {}
}

/// Names one session: `ses_` and 22 base64url characters.
public typealias SessionID = Identifier<IdentifierKind.Session>
/// Names one attempt: `att_` and 22 base64url characters.
public typealias AttemptID = Identifier<IdentifierKind.Attempt>
/// Names a configured verifier, as written in the configuration.
public typealias VerifierID = Identifier<IdentifierKind.Verifier>
/// Names a configured purpose, as written in the configuration.
public typealias PurposeID = Identifier<IdentifierKind.Purpose>
/// Names a configured client, as written in the configuration.
public typealias ClientID = Identifier<IdentifierKind.Client>
