/// Why a secret could not be had. There is no room in it for the secret or for the name of its place.
public enum SecretProblem: Error, Sendable, Hashable {
    case fileMissing
    case fileUnreadable
    case fileNotRegular
    case variableUnset
    case variableNotText
    case commandNotStarted
    case commandFailed
    case commandTimedOut
    case tooLong
    case empty

    /// What is wrong, in words for a problem list.
    public var words: String {
        switch self {
        case .fileMissing: "the file with the secret does not exist"
        case .fileUnreadable: "the file with the secret cannot be read"
        case .fileNotRegular: "the secret is to come from something that is no file"
        case .variableUnset: "the environment variable with the secret is not set"
        case .variableNotText: "the environment variable with the secret is not UTF-8"
        case .commandNotStarted: "the command for the secret cannot be started"
        case .commandFailed: "the command for the secret failed"
        case .commandTimedOut: "the command for the secret did not end in time"
        case .tooLong: "the secret is longer than \(SecretResolver.longestSecret) bytes"
        case .empty: "the secret is empty"
        }
    }
}
