import Cryptography
public import JSONTree
public import VerificationCore

extension LoadedPart {
    /// The parts of a JSON5 file that a configuration names: its members, and where one is an object, the members of that,
    /// such as `steps.submit`. Each stands by the SHA-256 of its canonical form, so that comments and order are no change.
    public static func members(of root: JSONNode, as kind: Kind) -> [LoadedPart] {
        (root.members ?? []).flatMap { member in
            guard let inner = member.value.members, !inner.isEmpty else {
                return [part(kind, member.name, member.value)]
            }
            return inner.map { part(kind, member.name + "." + $0.name, $0.value) }
        }
    }

    private static func part(_ kind: Kind, _ name: String, _ value: JSONNode) -> LoadedPart {
        LoadedPart(kind, name, .digest(Hash.sha256(CanonicalForm.bytes(of: value))))
    }
}
