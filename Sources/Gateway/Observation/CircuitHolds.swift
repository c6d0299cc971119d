import JSONTree
import Routing
import Synchronization
import VerificationCore

/// What operators hold circuits to. It is kept in the store, so that a restart keeps it until it expires.
final class CircuitHolds: Sendable {
    /// One circuit held by an operator.
    struct Hold: Sendable, Hashable {
        var position: Circuit.Hold.Position
        var until: Timestamp
        /// Why, in the operator's words.
        var reason: String
        /// Who, by the client's name.
        var by: ClientID
    }

    private let holds = Mutex<[VerifierID: Hold]>([:])

    /// How a verifier's circuit is held, as it was asked for.
    func hold(of id: VerifierID) -> Hold? { holds.withLock { $0[id] } }

    /// Notes what was set; `nil` lets go.
    func note(_ hold: Hold?, of id: VerifierID) { holds.withLock { $0[id] = hold } }

    /// The name under which a hold is kept in the store.
    static func setting(of id: VerifierID) -> String { "circuit:" + id.rawValue }
}

extension CircuitHolds.Hold {
    /// The form in which it is kept.
    var encoded: [UInt8] {
        JSONValue.object([
            ("position", .string(position.rawValue)), ("until", .string(RFC3339.text(until))),
            ("reason", .string(reason)), ("by", .string(by.rawValue)),
        ]).encoded()
    }

    /// Reads the form in which it is kept; `nil` for anything else.
    init?(encoded: [UInt8]) {
        guard let node = try? JSONNode.parse(encoded, syntax: .json),
            let position = node["position"]?.string.flatMap(Circuit.Hold.Position.init),
            let until = node["until"]?.string.flatMap({ RFC3339.timestamp($0) }), let reason = node["reason"]?.string,
            let by = node["by"]?.string
        else { return nil }
        self.init(position: position, until: until, reason: reason, by: ClientID(by))
    }
}

extension SessionService {
    /// Holds a circuit or lets it go, for good until it expires: in the store first, so that no restart undoes it.
    func hold(_ hold: CircuitHolds.Hold?, of id: VerifierID) async throws(StoreError) {
        try await store.replaceSetting(CircuitHolds.setting(of: id), with: hold?.encoded)
        apply(hold, of: id)
    }

    /// Brings back what operators held when the gateway last stopped, or when a verifier comes back by a reload.
    func restoreHolds() async throws(StoreError) {
        let now = clock.now()
        for id in current.verifiers.keys {
            guard let bytes = try await store.setting(CircuitHolds.setting(of: id)) else { continue }
            guard let hold = CircuitHolds.Hold(encoded: bytes), now < hold.until else {
                try await store.replaceSetting(CircuitHolds.setting(of: id), with: nil)
                continue
            }
            apply(hold, of: id)
        }
    }

    private func apply(_ hold: CircuitHolds.Hold?, of id: VerifierID) {
        let (now, wall) = (clock.monotonic(), clock.now())
        let until = hold.map { now + $0.until.duration(since: wall) } ?? now
        _ = current.circuits.hold(id, hold?.position, until: until, at: now)
        holds.note(hold, of: id)
    }
}
