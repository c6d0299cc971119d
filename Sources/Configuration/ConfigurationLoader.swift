import Cryptography
import Foundation
public import JSONTree
public import VerificationCore

/// Reads a configuration, judges it, and hands it over whole, or says everything that is wrong with it.
public struct ConfigurationLoader: Sendable {
    /// The largest configuration.
    static let limits = JSONLimits.standard

    /// The kinds of verifier that can be configured.
    public let kinds: [String: KindChecker]
    /// What fetches secrets.
    public let resolver: SecretResolver

    /// A loader for these kinds.
    public init(kinds: [String: KindChecker], resolver: SecretResolver = .system) {
        self.kinds = kinds
        self.resolver = resolver
    }

    /// Reads the file at a path. Blocks: it reads files, and runs the commands of secrets.
    public func load(path: String, at now: Timestamp) throws(JSONProblems) -> GatewayConfiguration {
        try load(try ConfigurationLoader.text(path: path), at: now)
    }

    /// The text of the file at a path.
    public static func text(path: String) throws(JSONProblems) -> [UInt8] {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw whole("does not exist")
        }
        guard !isDirectory.boolValue else { throw whole("is a directory") }
        guard let file = try? FileHandle(forReadingFrom: url),
            let data = try? file.read(upToCount: limits.bytes + 1) ?? Data()
        else {
            throw whole("cannot be read")
        }
        return Array(data)
    }

    /// Reads a configuration from its text.
    public func load(_ text: [UInt8], at now: Timestamp) throws(JSONProblems) -> GatewayConfiguration {
        let (parts, form) = try parts(of: text, at: now, isRecalled: false)
        return parts.configuration(canonicalForm: form, version: CanonicalForm.version(of: form))
    }

    /// Reads a configuration that was good once, such as a stored canonical form, to see what it says: no secret is
    /// fetched, no file is looked at, and nothing is judged that depends on either or on the time.
    public func recall(_ text: [UInt8], at now: Timestamp) throws(JSONProblems) -> RecalledConfiguration {
        let (parts, form) = try parts(of: text, at: now, isRecalled: true)
        return RecalledConfiguration(parts, version: CanonicalForm.version(of: form))
    }

    private func parts(
        of text: [UInt8], at now: Timestamp, isRecalled: Bool
    ) throws(JSONProblems) -> (ConfigurationParts, form: [UInt8]) {
        let problems = JSONProblemList()
        guard let root = JSONNode.parse(text, syntax: .json5, limits: ConfigurationLoader.limits, problems: problems)
        else { throw JSONProblems(problems.problems) }
        let reading = ConfigurationReading(
            root: JSONReader(root, problems: problems), kinds: kinds, resolver: resolver, now: now,
            isRecalled: isRecalled)
        let parts = reading.parts()
        try problems.throwIfAny()
        guard let parts else { throw ConfigurationLoader.whole("cannot be read") }
        return (parts, CanonicalForm.bytes(of: root))
    }

    private static func whole(_ problem: String) -> JSONProblems {
        JSONProblems([JSONProblem(path: "", line: 1, problem: problem)])
    }
}
