import Cryptography
import VerificationCore

/// A request that names itself by an `Idempotency-Key`.
///
/// Only keyed digests of the key and of the body are kept. A body holds the app's reference, and a plain hash of it
/// would give a short reference away to whoever tries them all, long after the reference itself was erased.
struct IdempotentRequest: Sendable {
    private struct Mark: Sendable {
        let key: IdempotencyKey
        let bodyHash: [UInt8]
    }

    private let current: Mark
    /// Under the older sealing keys: a request and its repeat may lie on the two sides of a rotation.
    private let earlier: [Mark]

    init(key: String, body: [UInt8], client: ClientID, scope: String, keys: SealingKeys) {
        func mark(_ digest: (_ label: String, _ bytes: [UInt8]) -> [UInt8]) -> Mark {
            let name = ByteText.hex(digest("idempotency key", Array("\(client)\u{0}\(scope)\u{0}\(key)".utf8)))
            return Mark(
                key: IdempotencyKey(client: client, scope: scope, key: name), bodyHash: digest("request body", body))
        }
        current = mark { keys.current.digest(of: $1, label: $0) }
        earlier = keys.earlier.map { key in mark { key.digest(of: $1, label: $0) } }
    }

    /// Its name while it runs.
    var name: IdempotencyKey { current.key }

    /// The names under which it may have been kept, the current one first.
    var names: [IdempotencyKey] { [current.key] + earlier.map(\.key) }

    /// What is kept of it.
    func record(for session: SessionID) -> IdempotencyRecord {
        IdempotencyRecord(key: current.key, bodyHash: current.bodyHash, session: session)
    }

    /// Whether what was kept came of the same body.
    func hasBody(of record: IdempotencyRecord) -> Bool {
        ([current] + earlier).contains { $0.key == record.key && constantTimeEquals($0.bodyHash, record.bodyHash) }
    }
}

extension SessionService {
    /// What the same `Idempotency-Key` came to before.
    func earlier(_ request: IdempotentRequest) async throws(Problem) -> IdempotencyRecord? {
        for name in request.names {
            let found = try await stored { () async throws(StoreError) in try await self.store.idempotency(name) }
            if let found { return found }
        }
        return nil
    }
}
