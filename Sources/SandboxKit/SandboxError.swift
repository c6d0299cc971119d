/// Why the sandbox could not be made or started.
public enum SandboxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system refused a call; its error number.
    case system(String, Int32)
    /// TLS could not be set up with a file.
    case tls(String)
    /// A file is missing or is not what it should be.
    case file(String)

    /// The same in words.
    public var description: String {
        switch self {
        case .system(let call, let number): "cannot \(call): error \(number)"
        case .tls(let what): "TLS refused \(what)"
        case .file(let what): what
        }
    }
}
