import Foundation
import MemoryStore
import Testing
import VerificationCore

@testable import Gateway

/// Each line of the design's table of what breaks a session that needs no provider.
@Suite struct LifetimeTests {
    @Test func `a session exists at its last instant and not a millisecond longer`() async throws {
        let rig = try Rig()
        let (first, second) = (try await rig.create().id, try await rig.create().id)
        rig.clock.advance(by: .seconds(900))
        #expect(try await rig.submit(first).sessionStatus == "verified")
        rig.clock.advance(by: .milliseconds(1))
        let late = try await rig.submit(second)
        #expect(late.status == 410 && late.code == "session_expired")
    }

    @Test func `a crash after the claim fails the session as interrupted, and its nonce stays spent`() async throws {
        let store = MemoryStore()
        let clock = ManualClock()
        let before = try Rig(store: store, clock: clock)
        let id = try await before.create().id
        let claimed = try await store.claim(
            SessionID(id), at: clock.now(), processingDeadline: clock.now().advanced(by: .seconds(30)),
            idempotency: nil, ledger: [])
        guard case .claimed = claimed else { return #expect(Bool(false), "\(claimed)") }
        let after = try Rig(store: store, clock: clock)
        try await Housekeeper(of: after.gateway).recover()
        let reply = try await after.call("GET", "/v1/sessions/" + id)
        #expect(reply.sessionStatus == "failed")
        #expect((reply.json["failure"] as? [String: Any])?["code"] as? String == "interrupted")
        #expect(try await after.submit(id).code == "session_already_submitted")
        #expect(after.calls.value == 0)
        #expect(try await store.ledger(from: 1, limit: 10).isEmpty)
    }

    @Test func `the processing deadline fails the session, and a verdict that comes later changes nothing`()
        async throws
    {
        let rig = try Rig(act: { _ in .slow(.seconds(1), Rig.claims) })
        let id = try await rig.create().id
        async let submission = rig.submit(id)
        await rig.untilVerifierIsCalled()
        rig.clock.advance(by: .seconds(31))
        await Housekeeper(of: rig.gateway).tick()
        let reply = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(reply.sessionStatus == "failed")
        #expect((reply.json["failure"] as? [String: Any])?["code"] as? String == "provider_timeout")
        let late = try await submission
        #expect(late.sessionStatus == "failed" && late.result == nil)
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text == reply.text)
        // That it came is an event, never a status, and what was wrong with it is counted all the same.
        #expect(rig.lines.text.contains("an incident was counted"))
        let events = try await rig.store.ledger(from: 1, limit: 10)
        #expect(events.map(\.draft.kind) == [.started, .ended] && events.last?.draft.outcome == .verified)
    }

    @Test func `erasure while processing lets the verdict commit without claims`() async throws {
        let rig = try Rig(act: { _ in .slow(.seconds(1), Rig.claims) })
        let id = try await rig.create().id
        async let submission = rig.submit(id)
        await rig.untilVerifierIsCalled()
        #expect(try await rig.call("DELETE", "/v1/sessions/" + id).status == 204)
        let reply = try await submission
        #expect(reply.sessionStatus == "verified")
        #expect(!reply.text.contains("番号"))
        let read = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(read.sessionStatus == "verified" && read.result?["claims"] is NSNull)
        #expect(try await rig.store.ledger(from: 1, limit: 10).count == 2)
    }

    @Test func `a verifier that is not ready is refused before the nonce is claimed`() async throws {
        let gate = Counter()
        let rig = try Rig(isReady: { gate.value == 0 })
        let id = try await rig.create().id
        gate.add()
        let refused = try await rig.submit(id)
        #expect(refused.status == 503 && refused.code == "verifier_unavailable")
        #expect(refused.headers["Retry-After"] != nil)
        #expect(try await rig.call("GET", "/v1/sessions/" + id).sessionStatus == "created")
        #expect(try await rig.create().code == "verifier_unavailable")
        #expect(try await rig.call("GET", "/readyz", key: nil).status == 503)
        #expect(rig.calls.value == 0)
        // Its time is over whether or not a verifier is there.
        rig.clock.advance(by: .seconds(901))
        #expect(try await rig.submit(id).code == "session_expired")
    }

    @Test func `a wrong sealing key refuses start, and the right one opens`() async throws {
        let store = MemoryStore()
        let right = try Rig(store: store)
        #expect(try await right.keys.check(against: store) == [])
        let wrong = try Rig(store: store, keyByte: 8)
        await #expect(throws: SealingKeys.Problem.wrongKey(key: "k1")) {
            _ = try await wrong.keys.check(against: store)
        }
        #expect(try await right.keys.check(against: store) == [])
    }

    @Test func `claims, reference and document digest go at the end of their retention; verdict and ledger stay`()
        async throws
    {
        let rig = try Rig(retention: .seconds(600))
        let id = try await rig.create(body: #"{"purpose":"account-opening","reference":"case-77"}"#).id
        _ = try await rig.submit(id)
        rig.clock.advance(by: .seconds(599))
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text.contains("case-77"))
        rig.clock.advance(by: .seconds(1))
        await Housekeeper(of: rig.gateway).tick()
        let erased = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(erased.sessionStatus == "verified")
        #expect(erased.json["reference"] is NSNull && erased.result?["claims"] is NSNull)
        #expect(erased.result?["document"] is NSNull)
        #expect(erased.json["erased_at"] != nil)
        for trace in ["case-77", "番号", "abababab"] { #expect(!erased.text.contains(trace)) }
        #expect(try await rig.call("GET", "/v1/sessions/\(id)/verified-claims").code == "claims_erased")
        #expect(try await rig.store.ledger(from: 1, limit: 10).count == 2)
        rig.clock.advance(by: .seconds(86_400 * 31))
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.call("GET", "/v1/sessions/" + id).status == 404)
        #expect(try await rig.store.ledger(from: 1, limit: 10).count == 2)
    }

    @Test func `while the clocks disagree nothing expires, is erased or purged, and sessions go on`() async throws {
        let rig = try Rig(retention: .seconds(1))
        let id = try await rig.create().id
        _ = try await rig.submit(id)
        let open = try await rig.create().id
        rig.clock.advance(by: .seconds(800))
        rig.clock.dispute(true)
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text.contains("番号"))
        #expect(try await rig.submit(open).sessionStatus == "verified")
        #expect(try await rig.call("GET", "/readyz", key: nil).text.contains("clock_disputed"))
        rig.clock.dispute(false)
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await !rig.call("GET", "/v1/sessions/" + id).text.contains("番号"))
    }

    @Test func `a cancelled session says why, takes no submission, and cancelling again is answered again`()
        async throws
    {
        let rig = try Rig()
        let id = try await rig.create().id
        let path = "/v1/sessions/\(id)/cancel"
        #expect(try await rig.call("POST", path, body: #"{"outcome":"bored"}"#).code == "request_invalid")
        let cancelled = try await rig.call("POST", path, body: #"{"outcome":"user_declined"}"#)
        #expect(cancelled.sessionStatus == "cancelled")
        #expect(cancelled.json["cancel_outcome"] as? String == "user_declined")
        #expect(try await rig.call("POST", path, body: #"{"outcome":"other"}"#).text == cancelled.text)
        #expect(try await rig.submit(id).code == "session_cancelled")
        let verified = try await rig.create().id
        _ = try await rig.submit(verified)
        let late = try await rig.call(
            "POST", "/v1/sessions/\(verified)/cancel", body: #"{"outcome":"user_declined"}"#)
        #expect(late.status == 409 && late.code == "session_not_cancellable")
        #expect(try await rig.call("GET", "/v1/sessions/" + verified).sessionStatus == "verified")
    }

    @Test func `a wait ends the moment the verdict is there, and by itself where none comes`() async throws {
        let rig = try Rig(act: { _ in .slow(.milliseconds(200), Rig.claims) })
        let id = try await rig.create().id
        let began = ContinuousClock.now
        async let waiting = rig.call("GET", "/v1/sessions/\(id)?wait=30")
        try await rig.untilSomebodyWaits(for: id)
        _ = try await rig.submit(id)
        #expect(try await waiting.sessionStatus == "verified")
        #expect(ContinuousClock.now - began < .seconds(25), "its own end of waiting came first")
        let idle = try await rig.create().id
        #expect(try await rig.call("GET", "/v1/sessions/\(idle)?wait=1").sessionStatus == "created")
        for query in ["wait=31", "wait=-1", "wait=1.5", "wait=x", "wait=1&wait=1", "other=1"] {
            #expect(try await rig.call("GET", "/v1/sessions/\(idle)?" + query).status == 422, "\(query)")
        }
    }
}
