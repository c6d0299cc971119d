import Foundation
import MemoryStore
import Testing
import VerificationCore

@testable import Gateway

/// What an app's developer meets at the edge of the interface.
@Suite struct EdgeTests {
    @Test func `a wrong method is told which ones the path has`() async throws {
        let rig = try Rig()
        let session = "/v1/sessions/ses_0000000000000000000000"
        let allowed = [
            ("PUT", "/v1/sessions", "GET, HEAD, POST"), ("POST", "/healthz", "GET, HEAD"),
            ("PUT", session, "GET, HEAD, DELETE"),
            ("GET", session + "/submission", "POST"), ("DELETE", session + "/cancel", "POST"),
            ("POST", session + "/verified-claims", "GET, HEAD"),
        ]
        for (method, path, methods) in allowed {
            let reply = try await rig.call(method, path)
            #expect(reply.status == 405 && reply.headers["Allow"] == methods, "\(method) \(path)")
        }
        #expect(try await rig.call("GET", session + "/nothing").headers["Allow"] == nil)
    }

    @Test func `every problem has a detail, and a repeated header that decides something is refused`() async throws {
        let rig = try Rig()
        #expect(try await rig.call("GET", "/nowhere").json["detail"] is String)
        let two = try await rig.create([("Idempotency-Key", "a"), ("Idempotency-Key", "b")])
        #expect(two.status == 400 && two.code == "request_malformed")
        let authorizations = [("Authorization", "Bearer " + Rig.otherKey)]
        #expect(try await rig.create(authorizations).status == 400)
        #expect(try await rig.store.counts()[.created] ?? 0 == 0)
    }

    @Test func `a body full of invented names is answered in a few lines`() async throws {
        let rig = try Rig()
        let names = (0..<2000).map { #""name\#($0)":1"# }.joined(separator: ",")
        let reply = try await rig.create(body: "{\(names)}")
        #expect(reply.status == 422 && reply.text.utf8.count < 4000)
    }

    @Test func `a verdict that comes later is 202, and the session goes on`() async throws {
        let rig = try Rig(act: { _ in .pending })
        let id = try await rig.create().id
        let key = [("Idempotency-Key", "s-1")]
        let first = try await rig.submit(id, headers: key)
        #expect(first.status == 202 && first.sessionStatus == "processing" && first.result == nil)
        #expect(first.headers["Retry-After"] != nil)
        let again = try await rig.submit(id, headers: key)
        #expect(again.status == 202 && again.text == first.text && again.headers["Idempotency-Replayed"] == "true")
        #expect(try await rig.submit(id).code == "session_already_submitted")
        #expect(rig.calls.value == 1)
        rig.clock.advance(by: .seconds(31))
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.call("GET", "/v1/sessions/" + id).sessionStatus == "failed")
    }

    @Test func `a simulator gives no verdict for a session opened without it`() async throws {
        let store = MemoryStore()
        let id = try await Rig(store: store).create().id
        let changed = try Rig(store: store, isSimulated: true)
        let reply = try await changed.submit(id)
        #expect(reply.sessionStatus == "failed")
        #expect((reply.json["failure"] as? [String: Any])?["code"] as? String == "verifier_gone")
        #expect(changed.calls.value == 0)
        #expect(try await store.ledger(from: 1, limit: 10).isEmpty)
    }

    private static func certification(_ number: String, regime: String = "bango-18-4") -> Certification {
        let start = Timestamp(seconds: 1_790_000_000)
        return Certification(
            regime: regime, holder: "H", program: "P", version: "1", number: number, validFrom: start,
            validUntil: start.advanced(by: .seconds(86_400)))
    }

    @Test func `a certification that was renewed while a session was open is the one that the result names`()
        async throws
    {
        let store = MemoryStore()
        let id = try await Rig(store: store, certification: Self.certification("old")).create().id
        let renewed = try Rig(store: store, certification: Self.certification("new"))
        let reply = try await renewed.submit(id)
        #expect(reply.sessionStatus == "verified")
        #expect(try await store.session(SessionID(id)).certification?.number == "new")
        #expect(try await store.ledger(from: 1, limit: 10).map(\.draft.certification) == ["new", "new"])
    }

    @Test func `a session that was promised a certification gets no verdict without one, nor of another regime`()
        async throws
    {
        let store = MemoryStore()
        let first = try Rig(store: store, certification: Self.certification("old"), regimes: ["bango-18-4"])
        let (lost, other) = (try await first.create().id, try await first.create().id)
        let none = try Rig(store: store)
        let reply = try await none.submit(lost)
        #expect(reply.sessionStatus == "failed" && none.calls.value == 0)
        let foreign = try Rig(store: store, certification: Self.certification("x", regime: "other"))
        let refused = try await foreign.submit(other)
        #expect(refused.status == 503 && foreign.calls.value == 0)
        #expect(try await store.session(SessionID(other)).status == .created)
    }

    @Test func `a wait ends with an expiry, an erasure and a stop`() async throws {
        let rig = try Rig()
        let expiring = try await rig.create().id
        async let waitsForExpiry = rig.call("GET", "/v1/sessions/\(expiring)?wait=30")
        try await rig.untilSomebodyWaits(for: expiring)
        rig.clock.advance(by: .seconds(901))
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await waitsForExpiry.sessionStatus == "expired")
        let erased = try await rig.create().id
        async let waitsForErasure = rig.call("GET", "/v1/sessions/\(erased)?wait=30")
        try await rig.untilSomebodyWaits(for: erased)
        #expect(try await rig.call("DELETE", "/v1/sessions/" + erased).status == 204)
        #expect(try await waitsForErasure.sessionStatus == "cancelled")
        let left = try await rig.create().id
        async let waitsForStop = rig.call("GET", "/v1/sessions/\(left)?wait=30")
        try await rig.untilSomebodyWaits(for: left)
        rig.gateway.prepareToStop()
        #expect(try await waitsForStop.sessionStatus == "created")
        // Whoever comes while it stops is not kept.
        let clock = ContinuousClock()
        let took = try await clock.measure { _ = try await rig.call("GET", "/v1/sessions/\(left)?wait=30") }
        #expect(took < .seconds(20))
    }

    @Test func `a certification that ended while the session was open takes no submission and spends nothing`()
        async throws
    {
        let ended = Counter()
        let rig = try Rig(isCertified: { ended.value == 0 })
        let id = try await rig.create().id
        ended.add()
        let reply = try await rig.submit(id)
        #expect(reply.status == 503 && reply.code == "verifier_unavailable")
        #expect(try await rig.call("GET", "/v1/sessions/" + id).sessionStatus == "created")
        #expect(rig.calls.value == 0)
    }

    @Test func `without a trust framework there are no verified claims to give`() async throws {
        for (framework, status) in [("jp_aml", 200), (nil, 409)] {
            let rig = try Rig(trustFramework: framework)
            let id = try await rig.create().id
            _ = try await rig.submit(id)
            #expect(try await rig.call("GET", "/v1/sessions/\(id)/verified-claims").status == status)
        }
    }

    @Test func `a name as long as the body is not sent back whole`() async throws {
        let rig = try Rig()
        let name = String(repeating: "n", count: 100_000)
        for body in [#"{"\#(name)":1}"#, #"{"\#(name)":1,"\#(name)":1}"#] {
            #expect(try await rig.create(body: body).text.utf8.count < 2000)
        }
    }

    @Test func `alarms of a verifier stand in the log, in readiness and in the metrics`() async throws {
        let rig = try Rig(alarms: [VerifierHealth.Alarm(code: "anchor_expiring", subject: "iaca.pem", daysLeft: 3)])
        rig.gateway.logAlarms()
        #expect(rig.lines.text.contains(#""alarm":"anchor_expiring","subject":"iaca.pem","days_left":3"#))
        let ready = try await rig.call("GET", "/readyz", key: nil)
        #expect(ready.status == 200 && ready.text.contains(#""code":"anchor_expiring""#))
        #expect(try await rig.call("GET", "/metrics", key: nil).text.contains(#"alarm="anchor_expiring""#))
    }

    @Test func `more verifications than there is room for are told to come again, and spend nothing`() async throws {
        let rig = try Rig(act: { _ in .slow(.milliseconds(500), Rig.claims) })
        let taken = InFlight.maximumVerifications - 1
        for _ in 0..<taken { #expect(rig.gateway.sessions.inFlight.beginVerification()) }
        let (first, second) = (try await rig.create().id, try await rig.create().id)
        async let running = rig.submit(first)
        await rig.untilVerifierIsCalled()
        let refused = try await rig.submit(second, headers: [("Idempotency-Key", "s-1")])
        #expect(refused.status == 503 && refused.code == "overloaded" && refused.headers["Retry-After"] != nil)
        #expect(try await rig.call("GET", "/v1/sessions/" + second).sessionStatus == "created")
        #expect(try await running.sessionStatus == "verified")
        // Every place and key was given back.
        #expect(rig.gateway.sessions.inFlight.verifications == taken)
        #expect(try await rig.submit(second, headers: [("Idempotency-Key", "s-1")]).sessionStatus == "verified")
    }

    @Test func `a dispute of the clocks is said once and its end too`() async throws {
        let rig = try Rig()
        rig.clock.dispute(true)
        for _ in 0..<5 { await Housekeeper(of: rig.gateway).tick() }
        rig.clock.dispute(false)
        for _ in 0..<5 { await Housekeeper(of: rig.gateway).tick() }
        let lines = rig.lines.text.split(separator: "\n")
        #expect(lines.count { $0.contains("housekeeping pauses") } == 1)
        #expect(lines.count { $0.contains("housekeeping goes on") } == 1)
    }
}
