import Cryptography
import Foundation
import MemoryStore
import Testing
import VerificationCore

@testable import Gateway

/// What is kept, for how long, and what a thief of the store could make of it.
@Suite struct KeptTests {
    private let header = [("Idempotency-Key", "order-1")]
    private let order = #"{"purpose":"account-opening","reference":"customer-0042"}"#

    private func request(_ rig: Rig) -> IdempotentRequest {
        IdempotentRequest(
            key: "order-1", body: Array(order.utf8), client: ClientID("app"), scope: "create", keys: rig.keys)
    }

    @Test func `neither an idempotency key nor a hash that could be guessed at is kept`() async throws {
        let rig = try Rig()
        #expect(try await rig.create(header, body: order).status == 201)
        let plain = IdempotencyKey(client: ClientID("app"), scope: "create", key: "order-1")
        #expect(try await rig.store.idempotency(plain) == nil)
        let kept = try #require(try await rig.store.idempotency(request(rig).name))
        #expect(kept.bodyHash != Hash.sha256(Array(order.utf8)))
        #expect(!kept.key.key.contains("order"))
    }

    @Test func `an idempotency key still holds after the sealing key was rotated`() async throws {
        let store = MemoryStore()
        let before = try Rig(store: store)
        let first = try await before.create(header, body: order)
        let after = try Rig(store: store, keyByte: 9, olderKeyByte: 7)
        let again = try await after.create(header, body: order)
        #expect(again.status == 201 && again.id == first.id)
        #expect(again.headers["Idempotency-Replayed"] == "true")
        #expect(try await after.create(header).code == "idempotency_key_reused")
    }

    @Test func `kept for no time, claims stand in the answer to the submission and nowhere else`() async throws {
        let rig = try Rig(retention: .zero)
        let id = try await rig.create(body: order).id
        let reply = try await rig.submit(id, headers: header)
        #expect((reply.result?["claims"] as? [String: Any])?["name"] as? String == "番号　花子")
        #expect(reply.result?["document"] is [String: Any])
        #expect(try await rig.store.session(SessionID(id)).sealedResult == nil)
        for again in [
            try await rig.call("GET", "/v1/sessions/" + id), try await rig.submit(id, headers: header),
        ] {
            #expect(again.sessionStatus == "verified")
            #expect(again.result?["claims"] is NSNull && again.result?["document"] is NSNull)
        }
        #expect(try await rig.call("GET", "/v1/sessions/\(id)/verified-claims").code == "claims_erased")
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await !rig.call("GET", "/v1/sessions/" + id).text.contains("customer-0042"))
    }

    @Test func `a key that sessions are sealed with and that is gone is named, and nothing is spent meanwhile`()
        async throws
    {
        let store = MemoryStore()
        let before = try Rig(store: store)
        #expect(try await before.keys.check(against: store) == [])
        let id = try await before.create(body: order).id
        let after = try Rig(store: store, keyByte: 9, keyName: "k3")
        #expect(try await after.keys.check(against: store) == ["k1"])
        let reply = try await after.submit(id)
        #expect(reply.status == 500 && reply.code == "internal")
        #expect(try await store.session(SessionID(id)).status == .created)
        #expect(after.calls.value == 0)
        // Once it is back, all goes on.
        #expect(try await Rig(store: store, keyByte: 9, olderKeyByte: 7).submit(id).sessionStatus == "verified")
    }
}
