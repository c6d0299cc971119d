import JSONTree
import VerificationCore

/// What the verifier remembers of a session, in ``Challenge/state``: a small JSON text, sealed by the gateway.
struct SessionMemory: Sendable, Equatable {
    /// The provider's reference, once it has one.
    var reference: String?
    /// What answers had us keep, by name: a secret of the session, another identifier.
    var kept: [String: String] = [:]
    /// The text form of the nonce when the session began: a changed manifest does not change what the wallet was asked.
    var nonceForm: NonceForm

    private static let version: Int64 = 1

    func encoded() -> Sensitive<[UInt8]> {
        let names = kept.sorted { $0.key < $1.key }
        let value = JSONValue.object([
            ("version", .integer(SessionMemory.version)), ("nonce_form", .string(nonceForm.rawValue)),
            ("reference", .string(orNull: reference)), ("kept", .object(names.map { ($0.key, .string($0.value)) })),
        ])
        return Sensitive(value.encoded())
    }

    init(nonceForm: NonceForm) {
        self.nonceForm = nonceForm
    }

    /// Reads what ``encoded()`` wrote; `nil` for anything else.
    init?(_ state: Sensitive<[UInt8]>) {
        guard let root = state.withValue({ try? JSONNode.parse($0, syntax: .json) }), let version = root["version"],
            JSONScalar(version) == .integer(SessionMemory.version),
            let form = root["nonce_form"]?.string.flatMap(NonceForm.init)
        else { return nil }
        nonceForm = form
        reference = root["reference"]?.string
        for member in root["kept"]?.members ?? [] { kept[member.name] = member.value.string }
    }
}
