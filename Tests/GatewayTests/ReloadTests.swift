import Foundation
import MemoryStore
import TestSupport
import Testing
import VerificationCore

@testable import Gateway

/// A new configuration beside a running one.
@Suite struct ReloadTests {
    private let problems = [
        ReloadProblem(path: "verifiers.in-house.trust[0].path", line: 12, problem: "cannot be read"),
        ReloadProblem(path: "http", problem: "has changed, and that takes a restart"),
    ]

    private func keys(_ keys: [(String, UInt8)]) throws -> SealingKeys {
        try SealingKeys(keys.map { ($0.0, Sensitive([UInt8](repeating: $0.1, count: 32))) })
    }

    @Test func `F01 a configuration with problems changes nothing, and every problem is told`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        rig.source.refuse(problems)
        let refused = try await rig.reload()
        #expect(refused.status == 422 && refused.code == "configuration_invalid")
        let told = try #require(refused.json["problems"] as? [[String: Any]])
        #expect(told.map { $0["path"] as? String } == problems.map(\.path))
        #expect(told[0]["line"] as? Int == 12 && told[1]["line"] is NSNull)
        #expect(rig.gateway.sessions.current.settings.version == "test-1")
        #expect(try await rig.store.setting("configuration.running") == nil)
        #expect(try await rig.submit(id).sessionStatus == "verified")
        #expect(rig.lines.text.contains("a reload was refused") && rig.lines.text.contains("cannot be read"))
    }

    @Test func `F02 a failed reload is shown beside what runs, and the gateway stays ready`() async throws {
        let rig = try Rig()
        #expect(try await rig.call("GET", "/readyz").json["last_reload"] is NSNull)
        rig.source.give(rig.next("test-2"))
        _ = try await rig.reload()
        rig.clock.advance(by: .seconds(60))
        rig.source.refuse(problems)
        _ = try await rig.reload()
        let ready = try await rig.call("GET", "/readyz")
        #expect(ready.status == 200 && ready.json["status"] as? String == "ready")
        #expect(ready.json["configuration_version"] as? String == "test-2")
        let last = try #require(ready.json["last_reload"] as? [String: Any])
        #expect(last["outcome"] as? String == "refused" && (last["problems"] as? [Any])?.count == 2)
        #expect(last["at"] as? String != ready.json["loaded_at"] as? String)
        let metrics = try await rig.call("GET", "/metrics").text
        #expect(metrics.contains(#"sekisho_reloads_total{outcome="refused"} 1"#))
        #expect(metrics.contains(#"sekisho_reloads_total{outcome="applied"} 1"#))
        #expect(metrics.contains("sekisho_reload_refused 1"))
        // It is over once a good one came.
        rig.source.give(rig.next("test-3"))
        _ = try await rig.reload()
        #expect(try await rig.call("GET", "/metrics").text.contains("sekisho_reload_refused 0"))
        #expect(try await !rig.call("GET", "/readyz").text.contains("reload_refused"))
    }

    @Test func `F03 what a reload says it changed has changed`() async throws {
        let rig = try Rig()
        let before = try await rig.create()
        rig.source.give(
            rig.next("test-2") { settings in
                settings.sessionLifetime = .seconds(60)
                settings.logLevel = .error
                settings.clients.removeAll { $0.id == ClientID("other") }
            })
        let applied = try await rig.reload()
        #expect(applied.status == 200 && applied.json["configuration_version"] as? String == "test-2")
        #expect(applied.json["previous_version"] as? String == "test-1")
        #expect(try await rig.call("POST", "/v1/sessions", key: Rig.otherKey, body: "{}").status == 401)
        let after = try await rig.create()
        let new = try await rig.store.session(SessionID(after.id))
        let old = try await rig.store.session(SessionID(before.id))
        #expect(new.configurationVersion == "test-2" && old.configurationVersion == "test-1")
        #expect(new.expiresAt.duration(since: new.createdAt) == .seconds(60))
        #expect(old.expiresAt.duration(since: old.createdAt) == .seconds(900))
        let kept = try #require(try await rig.store.setting("configuration:test-2"))
        #expect(String(decoding: kept, as: UTF8.self) == #"{"version":"test-2"}"#)
        #expect(try await rig.store.setting("configuration.running") == Array("test-2".utf8))
        // The log level as well: the lines of these requests are no errors.
        let lines = rig.lines.text
        _ = try await rig.create()
        #expect(rig.lines.text == lines)
        #expect(try await rig.submit(before.id).sessionStatus == "verified")
    }

    @Test func `reloads never run beside each other, and those that wait share one`() async throws {
        let rig = try Rig()
        let gate = Counter()
        let next = rig.next("test-2")
        rig.source.give { () async throws(ReloadRefusal) in
            while gate.value == 0 { try? await Task.sleep(for: .milliseconds(5)) }
            return next
        }
        async let first = rig.reload()
        try await until { rig.source.opened == 1 }
        let others = (0..<10).map { _ in Task { try await rig.reload().status } }
        // All of them wait behind the first, whose files may have changed since it read them.
        try await until { rig.gateway.reloads.callers == 11 }
        #expect(rig.source.opened == 1)
        gate.add()
        #expect(try await first.status == 200)
        for other in others { #expect(try await other.value == 200) }
        #expect(rig.source.opened == 2 && rig.source.mostOpen == 1)
        #expect(try await rig.reload().status == 200)
        #expect(rig.source.opened == 3 && rig.gateway.reloads.callers == 0)
    }

    /// Waits for what is about to happen; a busy machine may take its time.
    private func until(_ condition: () -> Bool) async throws {
        #expect(try await eventually { condition() })
    }

    @Test func `only an operator reloads, and sends nothing with it`() async throws {
        let rig = try Rig()
        rig.source.give(rig.next("test-2"))
        #expect(try await rig.call("POST", "/v1/config/reload", key: nil).status == 401)
        for key in [Rig.appKey, Rig.financeKey] {
            #expect(try await rig.call("POST", "/v1/config/reload", key: key).status == 403)
        }
        #expect(try await rig.call("POST", "/v1/config/reload", key: Rig.operatorKey, body: "{}").status == 422)
        #expect(rig.source.opened == 0)
        #expect(try await rig.call("GET", "/v1/config/reload", key: Rig.operatorKey).headers["Allow"] == "POST")
    }

    @Test func `sealing keys rotate by a reload, and nothing that they seal is lost`() async throws {
        let rig = try Rig()
        _ = try await rig.keys.check(against: rig.store)
        let open = try await rig.create(body: #"{"purpose":"account-opening","reference":"r-1"}"#)
        rig.source.give(rig.next("test-2", keys: try keys([("k2", 9), ("k1", 7)])))
        #expect(try await rig.reload().status == 200)
        #expect(try await rig.submit(open.id).sessionStatus == "verified")
        #expect(try await rig.call("GET", "/v1/sessions/\(open.id)").json["reference"] as? String == "r-1")
        let new = try await rig.create()
        #expect(try await rig.store.session(SessionID(new.id)).wrappedKey?.keyID == "k2")
        // Something is still sealed by the old one.
        rig.source.give(rig.next("test-3", keys: try keys([("k2", 9)])))
        let refused = try await rig.reload()
        #expect(refused.status == 422 && refused.text.contains("k1"))
        #expect(try await rig.call("GET", "/v1/sessions/\(open.id)").json["reference"] as? String == "r-1")
        #expect(try await rig.call("DELETE", "/v1/sessions/\(open.id)").status == 204)
        #expect(try await rig.reload().status == 200)
    }

    @Test func `a reload never takes the key away that seals now, nor accepts a wrong one`() async throws {
        let rig = try Rig()
        _ = try await rig.keys.check(against: rig.store)
        rig.source.give(rig.next("test-2", keys: try keys([("k2", 9)])))
        #expect(try await rig.reload().status == 422)
        rig.source.give(rig.next("test-2", keys: try keys([("k3", 11), ("k1", 8)])))
        let wrong = try await rig.reload()
        #expect(wrong.status == 422 && wrong.text.contains("k1"))
        // Nothing was noted of the key beside it: the right one can still be given that name.
        rig.source.give(rig.next("test-2", keys: try keys([("k3", 12), ("k1", 7)])))
        #expect(try await rig.reload().status == 200)
        #expect(rig.gateway.sessions.keys.current.id == "k3")
    }

    @Test func `a verifier that is gone fails what it held, and new sessions go to what is there`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        rig.source.give(rig.next("test-2", verifiers: []))
        #expect(try await rig.reload().status == 200)
        #expect(try await rig.create().code == "verifier_unavailable")
        let reply = try await rig.submit(id)
        #expect(reply.sessionStatus == "failed")
        #expect((reply.json["failure"] as? [String: Any])?["code"] as? String == "verifier_gone")
        #expect(rig.calls.value == 0)
    }

    @Test func `a reload keeps what circuits learnt and what operators hold`() async throws {
        let rig = try Rig()
        let until = RFC3339.text(rig.clock.now().advanced(by: .seconds(3600)))
        let body = #"{"state":"held_open","until":"\#(until)","reason":"provider asked for it"}"#
        let path = "/v1/verifiers/in-house/circuit"
        #expect(try await rig.call("POST", path, key: Rig.operatorKey, body: body).status == 200)
        rig.source.give(rig.next("test-2"))
        #expect(try await rig.reload().status == 200)
        #expect(try await rig.create().code == "verifier_unavailable")
        // A restart on the same store as well.
        let again = try Rig(store: rig.store, clock: rig.clock)
        await again.gateway.restoreHolds()
        #expect(try await again.create().code == "verifier_unavailable")
        let shown = try await again.call("GET", "/v1/verifiers", key: Rig.operatorKey).text
        #expect(shown.contains("provider asked for it") && shown.contains("held_open"))
        rig.clock.advance(by: .seconds(3600))
        #expect(try await again.create().status == 201)
        #expect(try await rig.create().status == 201)
    }
}
