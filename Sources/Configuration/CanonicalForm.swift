import Cryptography
import JSONTree
import VerificationCore

/// The form of a configuration in which two that mean the same are the same bytes: no comments, members by name,
/// whole numbers in decimal. It holds no secret: of a command that fetches one, only the program is left.
enum CanonicalForm {
    /// The digits of a version: 64 bits tell any two configurations of one gateway apart.
    static let versionLength = 16

    static func bytes(of root: JSONNode) -> [UInt8] { value(of: root).encoded() }

    static func version(of form: [UInt8]) -> String {
        String(ByteText.hex(Hash.sha256(form)).prefix(versionLength))
    }

    private static func value(of node: JSONNode) -> JSONValue {
        switch node.kind {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .number(let number): return number.integer.map { .integer($0) } ?? .string(number.text)
        case .string(let text): return .string(text)
        case .array(let elements): return .array(elements.map(value))
        case .object(let members):
            let sorted = members.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
            return .object(sorted.map { ($0.name, $0.name == "command" ? command($0.value) : value(of: $0.value)) })
        }
    }

    /// The arguments of a command may hold a token.
    private static func command(_ node: JSONNode) -> JSONValue {
        guard let words = node.elements else { return .null }
        return .array(words.prefix(1).map(value))
    }
}
