import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// What operators see, and what they never see.
@Suite struct OperatorTests {
    private static let reading = [
        "/v1/verifiers", "/v1/routes", "/v1/sessions", "/v1/shadow", "/v1/outbox",
        "/v1/sessions/ses_none/checks",
    ]

    private func read(_ rig: Rig, _ path: String) async throws -> Reply {
        try await rig.call("GET", path, key: Rig.operatorKey)
    }

    @Test func `nobody but an operator sees any of it`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        for path in Self.reading + ["/v1/sessions/\(id)/checks"] {
            #expect(try await rig.call("GET", path, key: nil).status == 401, "\(path)")
            for key in [Rig.appKey, Rig.financeKey] {
                #expect(try await rig.call("GET", path, key: key).status == 403, "\(path)")
            }
        }
        for path in ["/v1/verifiers/in-house/circuit", "/v1/outbox/msg_1/retry", "/v1/config/reload"] {
            #expect(try await rig.call("POST", path, key: nil, body: "{}").status == 401, "\(path)")
            for key in [Rig.appKey, Rig.financeKey] {
                #expect(try await rig.call("POST", path, key: key, body: "{}").status == 403, "\(path)")
            }
        }
        // And an operator does nothing that is an app's.
        #expect(try await rig.call("GET", "/v1/sessions/\(id)", key: Rig.operatorKey).status == 403)
        #expect(try await rig.call("DELETE", "/v1/sessions/\(id)", key: Rig.operatorKey).status == 403)
        #expect(try await rig.call("POST", "/v1/sessions", key: Rig.operatorKey, body: "{}").status == 403)
    }

    @Test func `a verifier is shown with its health, its certification's days, its keys and its circuit`() async throws
    {
        let now = ManualClock().now()
        let certification = Certification(
            regime: "bango-18-4", holder: "Sekisho Example KK", program: "Sekisho", version: "1", number: "R8-0001",
            validFrom: now.advanced(by: .seconds(-86_400)), validUntil: now.advanced(by: .seconds(10 * 86_400 + 5)))
        let rig = try Rig(
            alarms: [VerifierHealth.Alarm(code: "trust_anchor_expiring", subject: "iaca.pem", daysLeft: 12)],
            certification: certification)
        let reply = try await read(rig, "/v1/verifiers")
        let verifier = try #require((reply.json["verifiers"] as? [[String: Any]])?.first)
        #expect(verifier["id"] as? String == "in-house" && verifier["ready"] as? Bool == true)
        let shown = try #require(verifier["certification"] as? [String: Any])
        #expect(shown["days_left"] as? Int == 10 && shown["current"] as? Bool == true)
        #expect(shown["number"] as? String == "R8-0001")
        let circuit = try #require(verifier["circuit"] as? [String: Any])
        #expect(circuit["state"] as? String == "closed" && circuit["held"] is NSNull)
        #expect((verifier["alarms"] as? [[String: Any]])?.first?["days_left"] as? Int == 12)
        #expect(
            try await rig.call("GET", "/metrics").text.contains(#"certification_days_left{verifier="in-house"} 10"#))
        rig.clock.advance(by: .seconds(11 * 86_400))
        let later = try await read(rig, "/v1/verifiers").text
        #expect(later.contains(#""current":false"#) && later.contains(#""days_left":-1"#))
    }

    @Test func `routes are shown as they run, in their order`() async throws {
        let rig = try Rig(change: { settings in
            settings.table = RoutingTable(rules: [
                RoutingRule(
                    name: "tenth", purposes: [PurposeID("account-opening")],
                    window: TimeWindow(from: Timestamp(seconds: 1_790_000_000)),
                    targets: [
                        WeightedTarget(VerifierID("in-house"), weight: 9),
                        WeightedTarget(VerifierID("other"), weight: 1),
                    ], fallbacks: [VerifierID("other")],
                    shadow: ShadowShare(verifier: VerifierID("other"), percent: 5)),
                RoutingRule(name: "rest", targets: [WeightedTarget(VerifierID("in-house"))]),
            ])
        })
        let routes = try #require(try await read(rig, "/v1/routes").json["routes"] as? [[String: Any]])
        #expect(routes.map { $0["name"] as? String } == ["tenth", "rest"])
        #expect(routes[0]["purposes"] as? [String] == ["account-opening"] && routes[0]["clients"] is NSNull)
        #expect((routes[0]["targets"] as? [[String: Any]])?.map { $0["weight"] as? Int } == [9, 1])
        #expect((routes[0]["shadow"] as? [String: Any])?["percent"] as? Int == 5)
        #expect(routes[1]["shadow"] is NSNull && routes[1]["window"] is NSNull)
    }

    @Test func `sessions are found by what they are, page by page, and nothing about a person is shown`() async throws {
        let rig = try Rig()
        var ids: [String] = []
        for number in 0..<7 {
            let body = #"{"purpose":"account-opening","reference":"customer-\#(number)"}"#
            ids.append(try await rig.create(body: body).id)
            if number.isMultiple(of: 2) { _ = try await rig.submit(ids[number]) }
            rig.clock.advance(by: .seconds(1))
        }
        var seen: [String] = []
        var text = ""
        var next: String? = ""
        while let cursor = next {
            let page = try await read(rig, "/v1/sessions?limit=3" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            #expect(page.status == 200)
            text += page.text
            let sessions = try #require(page.json["sessions"] as? [[String: Any]])
            #expect(sessions.count <= 3 && !sessions.isEmpty)
            seen += sessions.compactMap { $0["id"] as? String }
            next = page.json["next"] as? String
        }
        #expect(seen == ids.reversed())
        for path in ids.map({ "/v1/sessions/\($0)/checks" }) { text += try await read(rig, path).text }
        for forbidden in ["花子", "1971", "customer-", "claims", "nonce", #""reference""#, "mso_digest", "ABAB", "abab"] {
            #expect(!text.contains(forbidden), "\(forbidden)")
        }
        func found(_ query: String) async throws -> [String] {
            let reply = try await read(rig, "/v1/sessions?" + query)
            #expect(reply.status == 200, "\(query): \(reply.text)")
            return (reply.json["sessions"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        }
        #expect(try await found("status=verified").count == 4)
        #expect(try await found("status=verified&status=created").count == 7)
        #expect(try await found("status=rejected").isEmpty)
        #expect(try await found("verifier=in-house&client=app&purpose=account-opening").count == 7)
        #expect(try await found("client=other").isEmpty)
        #expect(try await found("reason=digest_mismatch").isEmpty)
        let from = RFC3339.text(rig.clock.now().advanced(by: .seconds(-2)))
        #expect(try await found("created_from=\(from)") == [ids[6], ids[5]])
        #expect(try await found("created_before=\(from)").count == 5)
        // By the reference itself, which is kept by a keyed digest alone; another client's is not this one's.
        #expect(try await found("reference=customer-3") == [ids[3]])
        #expect(try await found("reference=customer-3&client=other").isEmpty)
        #expect(try await found("reference=customer-33").isEmpty)
        _ = try await rig.call("DELETE", "/v1/sessions/\(ids[3])")
        #expect(try await found("reference=customer-3").isEmpty)
    }

    @Test func `a query that is not understood is refused, never half obeyed`() async throws {
        let rig = try Rig()
        for query in [
            "status=done", "limit=0", "limit=201", "limit=1&limit=2", "created_from=yesterday", "cursor=AAAA",
            "cursor=", "reason=vermilion", "colour=vermilion", "client=app&client=other",
        ] {
            let reply = try await read(rig, "/v1/sessions?" + query)
            #expect(reply.code == "request_invalid", "\(query)")
            #expect(!reply.text.contains("vermilion"), "\(query)")
        }
        #expect(try await read(rig, "/v1/shadow?from=2026-11-30&until=2026-11-30").code == "request_invalid")
        #expect(try await read(rig, "/v1/verifiers?x=1").code == "request_invalid")
    }

    @Test func `a session's checks and calls are an operator's to see`() async throws {
        let rig = try Rig(act: { _ in .rejected(.digests, .digestMismatch) })
        let id = try await rig.create().id
        _ = try await rig.submit(id)
        let reply = try await read(rig, "/v1/sessions/\(id)/checks")
        #expect(reply.status == 200 && reply.json["status"] as? String == "rejected")
        #expect(reply.json["reasons"] as? [String] == ["digest_mismatch"])
        let checks = try #require(reply.json["checks"] as? [[String: Any]])
        #expect(checks.contains { $0["name"] as? String == "digests" && $0["status"] as? String == "failed" })
        let calls = try #require(reply.json["calls"] as? [[String: Any]])
        #expect(calls.map { $0["kind"] as? String } == ["started", "ended"])
        #expect(try await read(rig, "/v1/sessions/ses_none/checks").code == "session_not_found")
        #expect(
            try await rig.call("POST", "/v1/sessions/\(id)/checks", key: Rig.operatorKey).headers["Allow"]
                == "GET, HEAD")
    }

    @Test func `a circuit is held with a reason and an end, and only so`() async throws {
        let rig = try Rig()
        let path = "/v1/verifiers/in-house/circuit"
        func set(_ body: String, _ path: String = path) async throws -> Reply {
            try await rig.call("POST", path, key: Rig.operatorKey, body: body)
        }
        func time(_ seconds: Int) -> String { RFC3339.text(rig.clock.now().advanced(by: .seconds(seconds))) }
        for body in [
            #"{"state":"held_open"}"#, #"{"state":"held_open","reason":"r"}"#,
            #"{"state":"held_open","until":"\#(time(60))"}"#,
            #"{"state":"held_open","until":"\#(time(0))","reason":"r"}"#,
            #"{"state":"held_closed","until":"\#(time(31 * 86_400))","reason":"r"}"#,
            #"{"state":"automatic","until":"\#(time(60))"}"#, #"{"state":"open"}"#, "{}",
        ] {
            #expect(try await set(body).code == "request_invalid", "\(body)")
        }
        #expect(try await rig.store.setting("circuit:in-house") == nil)
        let good = #"{"state":"held_open","until":"\#(time(600))","reason":"maintenance"}"#
        #expect(try await set(good, "/v1/verifiers/none/circuit").code == "verifier_not_found")
        let held = try await set(good)
        #expect(held.status == 200 && held.text.contains("held_open") && held.text.contains("maintenance"))
        #expect(held.text.contains(#""until":"\#(time(600))""#), "the end is told as it was asked for")
        #expect(try await rig.create().code == "verifier_unavailable")
        #expect(
            try await rig.call("GET", "/metrics").text.contains(
                #"sekisho_circuit_held{verifier="in-house",position="open"} 1"#))
        #expect(rig.lines.text.contains("an operator set a circuit") && !rig.lines.text.contains("maintenance"))
        #expect(try await set(#"{"state":"automatic"}"#).status == 200)
        #expect(try await rig.create().status == 201)
        #expect(try await rig.store.setting("circuit:in-house") == nil)
    }

    @Test func `shadow comparisons are summed by pair, with what agreed of a thousand`() async throws {
        let rig = try Rig()
        let today = CivilDate(daysSinceEpoch: rig.clock.now().milliseconds / 86_400_000)
        func count(_ subject: String, _ outcome: ShadowCount.Outcome, _ count: Int, day: CivilDate? = nil)
            -> ShadowCount
        {
            ShadowCount(
                day: day ?? today, primary: VerifierID("in-house"), shadow: VerifierID("other"), subject: subject,
                outcome: outcome, count: count)
        }
        try await rig.store.addShadowCounts([
            count("verdict", .agree, 6), count("verdict", .differ, 1), count("verdict", .failed, 5),
            count("claim:name", .shadowOnly, 1),
            count("verdict", .agree, 100, day: CivilDate(daysSinceEpoch: today.daysSinceEpoch - 7)),
        ])
        let reply = try await read(rig, "/v1/shadow")
        let pair = try #require((reply.json["pairs"] as? [[String: Any]])?.first)
        let subjects = try #require(pair["subjects"] as? [[String: Any]])
        #expect(subjects.map { $0["subject"] as? String } == ["claim:name", "verdict"])
        #expect(subjects[0]["agreement_permille"] as? Int == 0)
        #expect(subjects[1]["agree"] as? Int == 6 && subjects[1]["failed"] as? Int == 5)
        #expect(subjects[1]["agreement_permille"] as? Int == 857)
        let all = try await read(rig, "/v1/shadow?from=2000-01-01&until=2100-01-01")
        #expect(all.text.contains(#""agree":106"#))
        #expect(
            try await rig.call("GET", "/metrics").text.contains(
                #"sekisho_shadow_recent_comparisons{primary="in-house",shadow="other",subject="verdict",outcome="agree"} 6"#
            ))
    }

    @Test func `a notice needs no key of ours, and one for nobody is told nothing`() async throws {
        let rig = try Rig()
        for id in ["in-house", "made-up"] {
            let reply = try await rig.call("POST", "/v1/verifiers/\(id)/webhooks", key: nil, body: "{}")
            #expect(reply.status == 404, "\(id)")
        }
        let large = String(repeating: "x", count: ReceiveNotice.maximumBody + 1)
        #expect(try await rig.call("POST", "/v1/verifiers/in-house/webhooks", key: nil, body: large).status == 413)
        // Whatever a stranger names, no label of a metric is made of it.
        #expect(try await !rig.call("GET", "/metrics").text.contains("made-up"))
    }
}
