import Cryptography
public import VerificationCore

/// The gateway's sealing keys: the first seals, every one opens.
public struct SealingKeys: Sendable {
    /// AES-256 needs exactly 32 bytes.
    public static let keyLength = 32

    /// Why keys cannot be used.
    public enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// There is none.
        case none
        /// A key has another length than ``keyLength``; names the key.
        case wrongLength(key: String)
        /// Two keys have one name.
        case duplicateName(key: String)
        /// The store was sealed with another key of this name.
        case wrongKey(key: String)

        /// A sentence for the operator; it names keys and never shows one.
        public var description: String {
            switch self {
            case .none: "there is no sealing key"
            case .wrongLength(let key): "the sealing key \(key) is not \(keyLength) bytes long"
            case .duplicateName(let key): "two sealing keys are named \(key)"
            case .wrongKey(let key):
                "the sealing key \(key) is not the one that this store was sealed with; a new key needs a new name"
            }
        }
    }

    /// A key with its name.
    struct Key: Sendable {
        let id: String
        let secret: Sensitive<[UInt8]>

        /// The name under which the store keeps ``checkValue``.
        var checkName: String { "sealing_check:" + id }

        /// What shows that a key is the same one and tells nothing of it.
        var checkValue: [UInt8] {
            secret.withValue {
                HMACSHA256.authenticationCode(for: Array("sekisho sealing key check".utf8), key: $0)
            }
        }

        /// A digest by which a value can be found again and, without the key, be neither read nor guessed.
        func digest(of bytes: [UInt8], label: String) -> [UInt8] {
            secret.withValue {
                HMACSHA256.authenticationCode(for: Array("sekisho \(label)\u{0}".utf8) + bytes, key: $0)
            }
        }
    }

    /// The key that seals.
    let current: Key
    /// Those that only open.
    let earlier: [Key]

    /// Keys by name, the current one first.
    public init(_ keys: [(id: String, key: Sensitive<[UInt8]>)]) throws(Problem) {
        var names: Set<String> = []
        for (id, key) in keys {
            guard names.insert(id).inserted else { throw .duplicateName(key: id) }
            guard key.withValue({ $0.count }) == Self.keyLength else { throw .wrongLength(key: id) }
        }
        guard let first = keys.first else { throw .none }
        current = Key(id: first.id, secret: first.key)
        earlier = keys.dropFirst().map { Key(id: $0.id, secret: $0.key) }
    }

    /// Every key, the current one first.
    var all: [Key] { [current] + earlier }

    func key(named id: String) -> Sensitive<[UInt8]>? {
        all.first { $0.id == id }?.secret
    }

    /// Refuses a key that is not the one that the store was sealed with, before anything is sealed or lost.
    ///
    /// Returns the names of keys that sessions of the store are still sealed with and that are not among these: what
    /// they seal cannot be read until they are back.
    public func check(against store: any Store) async throws -> [String] {
        // Looked at first and kept only then: where one key is wrong, nothing is noted of the others.
        for key in all {
            guard let kept = try await store.setting(key.checkName) else { continue }
            guard constantTimeEquals(kept, key.checkValue) else { throw Problem.wrongKey(key: key.id) }
        }
        for key in all {
            let kept = try await store.keepSetting(key.checkName, key.checkValue)
            guard constantTimeEquals(kept, key.checkValue) else { throw Problem.wrongKey(key: key.id) }
        }
        return try await missing(from: store)
    }

    /// The names of keys that are not the ones that a store was sealed with under these names; `kept` reads a value that the
    /// store keeps. It changes nothing, so a command can ask it of a gateway's database.
    public func contradicted<Failure: Error>(
        by kept: (_ setting: String) async throws(Failure) -> [UInt8]?
    ) async throws(Failure) -> [String] {
        var wrong: [String] = []
        for key in all {
            guard let value = try await kept(key.checkName) else { continue }
            if !constantTimeEquals(value, key.checkValue) { wrong.append(key.id) }
        }
        return wrong
    }

    /// The names of keys that sessions of the store are sealed with and that are not among these.
    func missing(from store: any Store) async throws(StoreError) -> [String] {
        try await store.sealingKeyNames().subtracting(all.map(\.id)).sorted()
    }
}
