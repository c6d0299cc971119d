public import JSONTree
public import Routing
public import VerificationCore

/// A configured way to verify. What its kind alone understands stays a tree, for the kind's own reader.
public struct VerifierDeclaration: Sendable {
    /// Its name.
    public let id: VerifierID
    /// Its kind, such as `in_house`.
    public let kind: String
    /// Its certification, if it has one.
    public let certification: Certification?
    /// Why it may verify without one, if it may.
    public let certificationException: CertificationException?
    /// When its circuit opens, and how many calls it takes at once.
    public var circuit = CircuitSettings()
    /// Whether `mode` makes it a simulator.
    public let isSimulated: Bool
    /// Everything that was configured, with its lines.
    public let node: JSONNode
    /// Its place in the configuration.
    public let path: String

    /// The keys that belong to every kind.
    static let commonKeys = [
        "kind", "certification", "certification_exception", "circuit", "concurrency",
    ]
    /// The value of `mode` that makes a verifier a simulator, of whatever kind it is.
    static let simulatorMode = "simulator"

    /// A reader for the kind: the keys common to all kinds count as known already, so it can refuse unknown ones.
    public func reader(problems: JSONProblemList) -> JSONReader {
        let reader = JSONReader(node, path: path, problems: problems)
        reader.leave(VerifierDeclaration.commonKeys)
        return reader
    }

    /// Everything that was configured, free of secrets: two that mean the same are the same bytes.
    public var canonicalForm: [UInt8] { CanonicalForm.bytes(of: node) }

    /// Whether its certification is current.
    public func isCertified(at now: Timestamp) -> Bool { certification?.isCurrent(at: now) ?? false }
}

/// A recorded decision to let a verifier work without the certification that production demands.
public struct CertificationException: Sendable, Hashable {
    /// The legal basis, in the operator's words.
    public let legalBasis: String
    /// The day on which it was recorded.
    public let recordedOn: CivilDate
}
