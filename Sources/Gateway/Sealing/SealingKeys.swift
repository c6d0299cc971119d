import Cryptography
public import VerificationCore

/// The gateway's sealing keys: the first seals, every one opens.
public struct SealingKeys: Sendable {
    /// AES-256 needs exactly 32 bytes.
    public static let keyLength = 32

    /// Why keys cannot be used.
    public enum Problem: Error, Sendable, Equatable {
        /// There is none.
        case none
        /// A key has another length than ``keyLength``; names the key.
        case wrongLength(key: String)
        /// Two keys have one name.
        case duplicateName(key: String)
        /// The store was sealed with another key of this name.
        case wrongKey(key: String)
    }

    private let keys: [(id: String, key: Sensitive<[UInt8]>)]

    /// Keys by name, the current one first.
    public init(_ keys: [(id: String, key: Sensitive<[UInt8]>)]) throws(Problem) {
        guard !keys.isEmpty else { throw .none }
        var names: Set<String> = []
        for (id, key) in keys {
            guard names.insert(id).inserted else { throw .duplicateName(key: id) }
            guard key.withValue({ $0.count }) == Self.keyLength else { throw .wrongLength(key: id) }
        }
        self.keys = keys
    }

    var current: (id: String, key: Sensitive<[UInt8]>) { keys[0] }

    /// The names, the current one first.
    public var names: [String] { keys.map(\.id) }

    func key(named id: String) -> Sensitive<[UInt8]>? {
        keys.first { $0.id == id }?.key
    }

    /// Refuses a key that is not the one that the store was sealed with, before anything is sealed or lost.
    public func check(against store: any Store) async throws {
        for (id, key) in keys {
            let value = key.withValue {
                HMACSHA256.authenticationCode(for: Array("sekisho sealing key check".utf8), key: $0)
            }
            let kept = try await store.keepSetting("sealing_check:" + id, value)
            guard constantTimeEquals(kept, value) else { throw Problem.wrongKey(key: id) }
        }
    }
}
