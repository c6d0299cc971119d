import Foundation
import Ledger
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// What the law asks of a session beside its verdict, with a clock that is stepped.
@Suite struct ComplianceTests {
    private static let day = Duration.seconds(86_400)

    /// A rig whose purpose keeps claims for 7 years after a contract, 20 days without one, under a method whose name
    /// moves on 2027-04-01. The letters are made up.
    private static func rig(_ store: any Store = MemoryStore(), isTold: Bool = true) throws -> Rig {
        let first = try #require(CivilDate("2018-11-30"))
        let second = try #require(CivilDate("2027-04-01"))
        return try Rig(
            store: store,
            change: { settings in
                for (id, purpose) in settings.purposes {
                    settings.purposes[id] = Purpose(
                        id: id, documentTypes: purpose.documentTypes, claims: purpose.claims,
                        requiredClaims: purpose.requiredClaims, retention: day * 20,
                        relyingPartyRetention: .unbounded, trustFramework: purpose.trustFramework,
                        legalMethods: LegalMethodTable(
                            code: "wallet-ru",
                            entries: [
                                LegalMethodTable.Entry(from: first, policy: "規則", procedure: "甲"),
                                LegalMethodTable.Entry(from: second, policy: "規則", procedure: "乙"),
                            ]),
                        eventRetention: isTold ? EventRetention(after: .contractEnded, keep: .years(7)) : nil)
                }
            })
    }

    private static func verified(_ rig: Rig, reference: String = "customer-4711") async throws -> String {
        let id = try await rig.create(body: #"{"purpose":"account-opening","reference":"\#(reference)"}"#).id
        #expect(try await rig.submit(id).sessionStatus == "verified")
        return id
    }

    private static func step(_ rig: Rig, to text: String) async throws {
        let target = try #require(RFC3339.timestamp(text))
        rig.clock.advance(by: target.duration(since: rig.clock.now()))
        await Housekeeper(of: rig.gateway).tick()
    }

    private static func tell(_ rig: Rig, _ id: String, _ event: String, at: String) async throws -> Reply {
        try await rig.call(
            "POST", "/v1/sessions/\(id)/events", body: #"{"event":"\#(event)","at":"\#(at)"}"#)
    }

    private static func record(_ rig: Rig, _ id: String, key: String = Rig.appKey) async throws -> Reply {
        try await rig.call("GET", "/v1/sessions/\(id)/record", key: key)
    }

    private static func unknown(_ reply: Reply) -> [String: String] {
        let items = reply.json["unknown"] as? [[String: String]] ?? []
        return Dictionary(items.map { ($0["item"] ?? "", $0["why"] ?? "") }, uniquingKeysWith: { $1 })
    }

    @Test
    func `a record holds the facts for the app, none of the values for an auditor, and says what it does not know`()
        async throws
    {
        let rig = try Self.rig()
        let id = try await Self.verified(rig)
        let ours = try await Self.record(rig, id)
        #expect(ours.status == 200)
        let method = try #require(ours.json["method"] as? [String: Any])
        #expect(method["code"] as? String == "wallet-ru" && method["procedure"] as? String == "甲")
        let document = try #require(ours.json["document"] as? [String: Any])
        #expect(document["type"] as? String == "org.iso.23220.1.jp.mnc")
        #expect(document["mso_sha256"] as? String == String(repeating: "ab", count: 32))
        let claims = try #require(ours.json["claims"] as? [String: Any])
        #expect(claims["confirmed"] as? [String] == ["birthdate", "name"])
        #expect((claims["values"] as? [String: Any])?["name"] as? String == "番号　花子")
        #expect(Self.unknown(ours)["document_number"] == "not_disclosed")
        #expect(Self.unknown(ours)["program"] == "not_certified")
        #expect(Self.unknown(ours)["check_revocation"] == "not_checked")
        #expect(Self.unknown(ours)["claim_values"] == nil)

        let theirs = try await Self.record(rig, id, key: Rig.auditorKey)
        #expect(theirs.status == 200 && !theirs.text.contains("花子") && !theirs.text.contains("1971"))
        #expect((theirs.json["claims"] as? [String: Any])?["confirmed"] as? [String] == ["birthdate", "name"])
        #expect(Self.unknown(theirs)["claim_values"] == "withheld")

        #expect(try await Self.record(rig, id, key: Rig.otherKey).code == "session_not_found")
        #expect(try await Self.record(rig, id, key: Rig.operatorKey).code == "forbidden")
        #expect(try await Self.record(rig, id, key: Rig.financeKey).code == "forbidden")
        #expect(try await Self.record(rig, try await rig.create().id).code == "record_unavailable")
    }

    @Test func `a session keeps the name that its method had on its day, also when the law has moved and it is erased`()
        async throws
    {
        let rig = try Self.rig()
        func procedure(_ id: String) async throws -> String? {
            (try await Self.record(rig, id).json["method"] as? [String: Any])?["procedure"] as? String
        }
        try await Self.step(rig, to: "2027-03-31T23:59:59.999+09:00")
        let before = try await Self.verified(rig)
        try await Self.step(rig, to: "2027-04-01T00:00:00+09:00")
        let after = try await Self.verified(rig, reference: "customer-4712")
        #expect(try await procedure(before) == "甲")
        #expect(try await procedure(after) == "乙")
        let claims = try await rig.call("GET", "/v1/sessions/\(before)/verified-claims")
        #expect(claims.text.contains("甲 (2018-11-30)") && !claims.text.contains("乙"))
        #expect(try await rig.call("DELETE", "/v1/sessions/\(before)").status == 204)
        #expect(try await procedure(before) == "甲")
        let erased = try await Self.record(rig, before)
        #expect((erased.json["claims"] as? [String: Any])?["confirmed"] as? [String] == ["birthdate", "name"])
        #expect(Self.unknown(erased)["claim_values"] == "erased" && Self.unknown(erased)["document"] == "erased")
        #expect(!erased.text.contains("花子") && !erased.text.contains("abab"))
    }

    @Test func `without an event the short time holds, to the millisecond`() async throws {
        let rig = try Self.rig()
        let id = SessionID(try await Self.verified(rig))
        let start = rig.clock.now()
        rig.clock.advance(by: Self.day * 20 - .milliseconds(1))
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.store.session(id).erasedAt == nil)
        rig.clock.advance(by: .milliseconds(1))
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.store.session(id).erasedAt == start.advanced(by: Self.day * 20))
        let late = try await Self.tell(rig, id.rawValue, "contract_started", at: RFC3339.text(start))
        #expect(late.code == "claims_erased")
    }

    @Test func `claims are kept while a contract lasts and seven years after it, to the millisecond`() async throws {
        let rig = try Self.rig()
        let id = try await Self.verified(rig)
        let begun = try await Self.tell(rig, id, "contract_started", at: RFC3339.text(rig.clock.now()))
        #expect(begun.status == 200 && begun.json["erase_at"] is NSNull)
        for year in 2027...2031 { try await Self.step(rig, to: "\(year)-03-31T00:00:00+09:00") }
        let claims = try await rig.call("GET", "/v1/sessions/\(id)")
        #expect(claims.text.contains("花子"))
        let ended = try await Self.tell(rig, id, "contract_ended", at: "2031-03-31T00:00:00+09:00")
        #expect(ended.json["erase_at"] as? String == "2038-03-31T15:00:00.000Z")
        try await Self.step(rig, to: "2038-03-31T23:59:59.999+09:00")
        #expect(try await rig.call("GET", "/v1/sessions/\(id)").text.contains("花子"))
        try await Self.step(rig, to: "2038-04-01T00:00:00+09:00")
        #expect(try await rig.store.session(SessionID(id)).erasedAt == rig.clock.now())
        #expect(try await !rig.call("GET", "/v1/sessions/\(id)").text.contains("花子"))
        // Thirty days later the rest goes, and the certificate stays.
        try await Self.step(rig, to: "2038-05-02T00:00:00+09:00")
        #expect(try await rig.call("GET", "/v1/sessions/\(id)").code == "session_not_found")
        let certificate = try await rig.call("GET", "/v1/sessions/\(id)/deletion")
        #expect(certificate.json["rule"] as? String == "retention")
        #expect(certificate.json["session_removed"] as? Bool == true)
    }

    @Test func `an event is told once, in its order, in the past, and where the purpose waits for it`() async throws {
        let rig = try Self.rig()
        let id = try await Self.verified(rig)
        let now = RFC3339.text(rig.clock.now())
        let later = RFC3339.text(rig.clock.now().advanced(by: .seconds(1)))
        #expect(try await Self.tell(rig, id, "contract_ended", at: later).code == "request_invalid")
        #expect(try await Self.tell(rig, id, "contract_ended", at: "1970-01-01T00:00:00Z").code == "event_conflict")
        #expect(try await Self.tell(rig, id, "contract_began", at: now).code == "request_invalid")
        #expect(try await Self.tell(rig, id, "contract_ended", at: now).status == 200)
        #expect(try await Self.tell(rig, id, "contract_ended", at: now).status == 200)
        rig.clock.advance(by: .seconds(5))
        #expect(try await Self.tell(rig, id, "contract_ended", at: later).code == "event_conflict")
        #expect(try await Self.tell(rig, id, "contract_started", at: now).code == "event_conflict")
        let other = try await rig.call(
            "POST", "/v1/sessions/\(id)/events", key: Rig.otherKey,
            body: #"{"event":"contract_ended","at":"\#(now)"}"#)
        #expect(other.code == "session_not_found")
        let open = try await rig.create().id
        #expect(try await Self.tell(rig, open, "contract_ended", at: now).code == "event_conflict")
        let plain = try Self.rig(isTold: false)
        let unasked = try await Self.verified(plain)
        #expect(try await Self.tell(plain, unasked, "contract_ended", at: now).code == "request_invalid")
        // Told twice, written once.
        var filter = AuditFilter()
        filter.actions = [.contractEnded, .contractStarted]
        #expect(try await rig.store.audit(filter, before: nil, limit: 10).count == 1)
    }

    @Test func `a hold keeps what would be erased, from everybody, until it is lifted`() async throws {
        let rig = try Self.rig()
        let id = try await Self.verified(rig)
        func hold(_ method: String, key: String, body: String? = #"{"reason":"litigation"}"#) async throws -> Reply {
            try await rig.call(method, "/v1/sessions/\(id)/hold", key: key, body: body)
        }
        #expect(try await hold("POST", key: Rig.appKey).code == "forbidden")
        #expect(try await hold("POST", key: Rig.financeKey).code == "forbidden")
        #expect(try await hold("DELETE", key: Rig.auditorKey, body: nil).code == "session_not_held")
        #expect(try await hold("POST", key: Rig.auditorKey, body: #"{"reason":"花子"}"#).code == "request_invalid")
        #expect(try await hold("POST", key: Rig.auditorKey).status == 200)
        #expect(try await hold("POST", key: Rig.operatorKey).code == "session_held")
        #expect(try await rig.call("DELETE", "/v1/sessions/\(id)").code == "session_held")
        rig.clock.advance(by: Self.day * 400)
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.call("GET", "/v1/sessions/\(id)").text.contains("花子"))
        #expect(try await hold("DELETE", key: Rig.operatorKey, body: nil).status == 200)
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await rig.call("GET", "/v1/sessions/\(id)").code == "session_not_found")
        var filter = AuditFilter()
        filter.session = SessionID(id)
        let actions = try await rig.store.audit(filter, before: nil, limit: 10).map(\.draft.action)
        #expect(actions == [.sessionErased, .holdReleased, .holdPlaced, .incident])
    }

    @Test func `a certificate says what was erased, by whom and when, and stands in the audit chain`() async throws {
        let rig = try Self.rig()
        let id = try await Self.verified(rig)
        func certificate(key: String = Rig.appKey) async throws -> Reply {
            try await rig.call("GET", "/v1/sessions/\(id)/deletion", key: key)
        }
        #expect(try await certificate().code == "deletion_unavailable")
        #expect(try await rig.call("DELETE", "/v1/sessions/\(id)").status == 204)
        let ours = try await certificate()
        #expect(ours.json["by"] as? String == "app" && ours.json["rule"] as? String == "requested")
        #expect(ours.json["erased_at"] as? String == RFC3339.text(rig.clock.now()))
        #expect((ours.json["erased"] as? [String])?.contains("claims") == true)
        #expect((ours.json["provider"] as? [String: Any])?["state"] as? String == "not_needed")
        let place = try #require(ours.json["audit"] as? [String: Any])
        let sequence = try #require(place["sequence"] as? Int)
        let event = try #require(try await rig.store.audit(from: Int64(sequence), limit: 1).first)
        #expect(place["hash"] as? String == ByteText.hex(event.hash))
        #expect(event.draft.action == .sessionErased && event.draft.session == SessionID(id))
        #expect(try await certificate(key: Rig.auditorKey).status == 200)
        #expect(try await certificate(key: Rig.otherKey).code == "session_not_found")
        rig.clock.advance(by: Self.day * 31)
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await certificate().json["session_removed"] as? Bool == true)
        #expect(try await certificate(key: Rig.otherKey).code == "session_not_found")
    }

    @Test func `the audit chain holds who did and saw what, nothing of the person, and is the auditor's alone`()
        async throws
    {
        let rig = try Self.rig()
        let id = try await Self.verified(rig)
        _ = try await rig.call("GET", "/v1/sessions?reference=customer-4711&limit=5", key: Rig.operatorKey)
        _ = try await rig.call("GET", "/v1/sessions/\(id)/checks", key: Rig.operatorKey)
        _ = try await Self.record(rig, id, key: Rig.auditorKey)
        let until = RFC3339.text(rig.clock.now().advanced(by: .seconds(600)))
        _ = try await rig.call(
            "POST", "/v1/verifiers/in-house/circuit", key: Rig.operatorKey,
            body: #"{"state":"held_open","until":"\#(until)","reason":"花子 called"}"#)
        _ = try await rig.call("POST", "/v1/config/reload", key: Rig.operatorKey)
        for key in [Rig.appKey, Rig.operatorKey, Rig.financeKey] {
            #expect(try await rig.call("GET", "/v1/audit", key: key).code == "forbidden")
        }
        let reply = try await rig.call("GET", "/v1/audit?limit=1000", key: Rig.auditorKey)
        let events = try #require(reply.json["events"] as? [[String: Any]])
        #expect(
            events.map { $0["action"] as? String } == [
                "audit_read", "configuration_reloaded", "circuit_set", "record_read", "checks_read",
                "sessions_searched", "incident",
            ])
        #expect(
            events.map { $0["actor"] as? String } == [
                "auditor", "operator", "operator", "auditor", "operator", "operator", "gateway",
            ])
        #expect(events[5]["subject"] as? String == "limit,reference")
        for word in ["花子", "customer-4711", "1971", Rig.operatorKey] { #expect(!reply.text.contains(word)) }
        let page = try await rig.call("GET", "/v1/audit?limit=2&session=\(id)", key: Rig.auditorKey)
        #expect(
            (page.json["events"] as? [[String: Any]])?.map { $0["action"] as? String } == [
                "record_read", "checks_read",
            ])
        let next = try #require(page.json["next"] as? String)
        let rest = try await rig.call("GET", "/v1/audit?cursor=\(next)&session=\(id)", key: Rig.auditorKey)
        #expect((rest.json["events"] as? [[String: Any]])?.map { $0["action"] as? String } == ["incident"])
        #expect(try await rig.call("GET", "/v1/audit?action=nonsense", key: Rig.auditorKey).code == "request_invalid")
        #expect(AuditChain.verify(try await rig.store.audit(from: 1, limit: 1000)) == nil)
    }
}
