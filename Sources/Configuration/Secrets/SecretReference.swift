public import JSONTree
public import VerificationCore

/// Where a secret is to be had. A configuration never holds a secret itself, and nothing ever prints one, nor the name
/// of its place: somebody may have put the secret there by mistake.
public enum SecretReference: Sendable, Hashable {
    /// The content of a file, without one line end at its end.
    case file(String)
    /// The value of an environment variable, exactly.
    case env(String)
    /// What a program prints, without one line end at its end. No shell is involved.
    case command([String], timeout: Duration)

    /// The time that a command has, where the configuration says nothing.
    public static let defaultTimeout: Duration = .seconds(10)
    /// The longest time that a command may be given: a reload waits for it.
    public static let timeouts: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
    /// The most words of a command.
    static let longestCommand = 64
    /// The keys of a reference.
    static let keys = ["file", "env", "command", "timeout"]

    /// Fetches the secret. It blocks, a command for up to its timeout: not for the threads that answer requests.
    public func resolve(
        using resolver: SecretResolver = .system
    ) throws(SecretProblem) -> Sensitive<[UInt8]> {
        try resolver.secret(self)
    }
}

extension SecretReference: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of place, and nothing of it.
    public var description: String {
        switch self {
        case .file: "secret from a file"
        case .env: "secret from an environment variable"
        case .command: "secret from a command"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretReference {
    /// Reads `{file}`, `{env}` or `{command, timeout?}`; notes what is wrong, never what stands there.
    public init?(_ reader: JSONReader) {
        guard let members = reader.node.members else {
            reader.report(
                "must be {\"file\": …}, {\"env\": …} or {\"command\": […]}, never the secret itself "
                    + "(it is \(reader.node.kindName))")
            return nil
        }
        // An unknown key is not named: it could be the secret.
        if members.contains(where: { !SecretReference.keys.contains($0.name) }) {
            reader.report("has a key that is none of file, env, command and timeout")
            return nil
        }
        let places = SecretReference.keys.dropLast().filter { reader.node[$0] != nil }
        guard places.count == 1, let place = places.first, let value = reader.optional(place) else {
            reader.report("needs exactly one of file, env and command")
            return nil
        }
        var timeout = SecretReference.defaultTimeout
        if let member = reader.optional("timeout") {
            guard let given = member.duration(in: SecretReference.timeouts) else { return nil }
            timeout = given
        }
        if place != "command", reader.node["timeout"] != nil {
            reader.report("only a command has a timeout", member: "timeout")
            return nil
        }
        guard let reference = SecretReference.read(place, value, timeout: timeout) else { return nil }
        self = reference
    }

    private static func read(_ place: String, _ value: JSONReader, timeout: Duration) -> SecretReference? {
        switch place {
        case "file":
            return value.path(value.string()).map(SecretReference.file)
        case "env":
            guard let name = value.string() else { return nil }
            guard isVariable(name) else {
                value.report("must be the name of an environment variable: letters, digits and '_'")
                return nil
            }
            return .env(name)
        default:
            guard let words = value.elements() else { return nil }
            let arguments = words.compactMap { $0.string() }
            guard arguments.count == words.count else { return nil }
            guard let program = arguments.first, arguments.count <= longestCommand, program.hasPrefix("/"),
                !arguments.contains(where: { $0.utf8.contains(0) })
            else {
                value.report("must be a program's absolute path and its arguments; no shell reads them")
                return nil
            }
            return .command(arguments, timeout: timeout)
        }
    }

    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x5F
        }
    }
}
