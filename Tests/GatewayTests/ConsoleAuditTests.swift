import Billing
import Foundation
import HTTPServer
import Ledger
import Testing
import VerificationCore

@testable import Gateway

/// The auditor at the console.
@Suite struct ConsoleAuditTests {
    private static let canaries = ["番号", "花子", "1971-09-01", "customer-canary", "ababab"]

    /// A chain that says of one event what was not written.
    private struct Tampered: AuditReading {
        let events: [AuditEvent]
        /// An event that no reading gets past.
        var unreadable: Int64?

        init(_ events: [AuditEvent], at sequence: Int64, _ change: (inout AuditDraft) -> Void) {
            self.events = events.map { event in
                guard event.sequence == sequence else { return event }
                var draft = event.draft
                change(&draft)
                return AuditEvent(
                    sequence: event.sequence, draft: draft, previousHash: event.previousHash, hash: event.hash)
            }
        }

        func audit(from sequence: Int64, limit: Int) async throws(StoreError) -> [AuditEvent] {
            let found = Array(events.filter { $0.sequence >= sequence }.prefix(limit))
            guard !found.contains(where: { $0.sequence == unreadable }) else { throw .corrupt }
            return found
        }

        func audit(
            _ filter: AuditFilter, before sequence: Int64?, limit: Int
        ) async throws(StoreError) -> [AuditEvent] { [] }
    }

    private static func desk(_ rig: Rig, _ key: String = Rig.auditorKey) async throws -> ConsoleDesk {
        let desk = ConsoleDesk(rig)
        #expect(try await desk.signIn(key).status == 303)
        return desk
    }

    /// A rig with a session that somebody searched for and looked at.
    private static func rig() async throws -> (Rig, session: String) {
        let rig = try Rig(act: { _ in .verified(Rig.claims) })
        let id = try await rig.create(body: #"{"purpose":"account-opening","reference":"customer-canary-9"}"#).id
        _ = try await rig.submit(id)
        let desk = try await desk(rig, Rig.operatorKey)
        let token = try desk.token(try await desk.get("/console/sessions"))
        _ = try await desk.post("/console/sessions", [("csrf", token), ("reference", "customer-canary-9")])
        _ = try await desk.get("/console/sessions/\(id)")
        return (rig, id)
    }

    /// The actions in the order of the page.
    private static func actions(_ page: Reply) -> [String] {
        guard let body = page.text.range(of: "<tbody>") else { return [] }
        let codes = Set(AuditDraft.Action.allCases.map(\.rawValue))
        return page.text[body.upperBound...].components(separatedBy: "<code>").dropFirst()
            .map { String($0.prefix { $0 != "<" }) }.filter { codes.contains($0) }
    }

    @Test func `an auditor sees who did what, newest first, nothing of a person, and no other page`() async throws {
        let (rig, id) = try await Self.rig()
        let desk = try await Self.desk(rig)
        #expect(try await desk.get("/console").headers["Location"] == "/console/audit")
        let page = try await desk.get("/console/audit")
        #expect(page.status == 200)
        #expect(
            Self.actions(page) == [
                "audit_read", "signed_in", "checks_read", "sessions_searched", "sessions_searched", "signed_in",
                "incident",
            ])
        for part in [id, "reference", "operator", "individual_number_received", "all 7 events are as they were"] {
            #expect(page.text.contains(part), "\(part)")
        }
        for canary in Self.canaries { #expect(!page.text.contains(canary), "\(canary)") }
        #expect(!page.text.contains("/console/overview") && !page.text.contains("/console/usage"))
        for path in ["/console/overview", "/console/sessions", "/console/sessions/\(id)", "/console/usage"] {
            #expect(try await desk.get(path).status == 403, "\(path)")
        }
        // And nobody else sees it, or has the chain proved.
        for key in [Rig.operatorKey, Rig.financeKey] {
            let other = try await Self.desk(rig, key)
            for path in ["/console/audit", "/console/audit/events.json"] {
                let reply = try await other.get(path)
                #expect(reply.status == 403 && !reply.text.contains("signed_in") && !reply.text.contains(id))
            }
            #expect(try await other.post("/console/audit/proof", []).status == 403)
        }
        #expect(try await ConsoleDesk(rig).get("/console/audit").headers["Location"] == "/console/sign-in")
    }

    @Test func `what is looked for is found, and looking is written down without its values`() async throws {
        let (rig, id) = try await Self.rig()
        let desk = try await Self.desk(rig)
        func actions(_ query: String) async throws -> [String] {
            Self.actions(try await desk.get("/console/audit?" + query))
        }
        #expect(try await actions("action=checks_read") == ["checks_read"])
        #expect(try await Set(actions("actor=operator")) == ["checks_read", "sessions_searched", "signed_in"])
        #expect(try await actions("session=\(id)") == ["checks_read", "incident"])
        #expect(try await actions("session=\(id)&actor=gateway") == ["incident"])
        // The clock of the rig stands on a day of Japan's, which begins nine hours before Greenwich's.
        let day = BillingZone.standard.day(of: rig.clock.now())
        let next = CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1)
        #expect(try await !actions("day=\(day)").isEmpty)
        #expect(try await actions("day=\(next)").isEmpty)
        rig.clock.advance(by: BillingZone.standard.start(of: next).duration(since: rig.clock.now()))
        #expect(try await desk.signIn(Rig.auditorKey).status == 303)
        #expect(try await actions("day=\(next)") == ["audit_read", "signed_in"])
        for query in ["action=nonsense", "day=2026-02-30", "day=x", "older=0", "older=x"] {
            let reply = try await desk.get("/console/audit?" + query)
            #expect(reply.status == 422 && Self.actions(reply).isEmpty, "\(query)")
        }
        let none = try await desk.get("/console/audit?actor=%3Cscript%3E")
        #expect(none.text.contains("No event matches.") && !none.text.contains("<script>"))
        let reads = try await rig.store.audit(AuditFilter(), before: nil, limit: 100).map(\.draft)
            .filter { $0.action == .auditRead }
        #expect(reads.allSatisfy { $0.actor == "auditor" && $0.outcome == "console" })
        #expect(Set(reads.map(\.subject)) == ["action", "actor", "session", "actor,session", "day"])
    }

    @Test func `the list goes on where a page ends, and the file is what the interface gives`() async throws {
        let rig = try Rig()
        let desk = try await Self.desk(rig)
        for _ in 0..<AuditPage.limit + 20 {
            try await rig.gateway.sessions.audit(
                rig.gateway.sessions.auditDraft(.circuitSet, by: "operator"))
        }
        let first = try await desk.get("/console/audit?action=circuit_set")
        #expect(Self.actions(first).count == AuditPage.limit)
        let mark = try #require(first.text.range(of: #"rel="next" href=""#))
        let place = String(first.text[mark.upperBound...].prefix { $0 != "\"" }).replacingOccurrences(
            of: "&amp;", with: "&")
        let second = try await desk.get(place)
        #expect(Self.actions(second).count == 20 && !second.text.contains(#"rel="next""#))
        let file = try await desk.get("/console/audit/events.json?action=circuit_set")
        let told = try await rig.call("GET", "/v1/audit?action=circuit_set&limit=1000", key: Rig.auditorKey)
        #expect(file.text == told.text && file.headers["Content-Disposition"]?.contains("audit.json") == true)
        #expect(try await desk.get("/console/audit/events.json?day=x").status == 400)
        #expect(try await desk.get("/console/audit/events.xml").status == 404)
    }

    @Test func `a chain that was changed is found, named, and stays so until it is proved anew`() async throws {
        let (rig, _) = try await Self.rig()
        let desk = try await Self.desk(rig)
        _ = try await desk.get("/console/audit")
        let events = try await rig.store.audit(from: 1, limit: 1000)
        let proof = rig.gateway.console.auditProof
        #expect(proof.state.broken == nil && proof.state.last == events.last)
        let tampered = Tampered(events, at: 3) { $0.actor = "nobody" }
        // What was proved already is not looked at again; a whole proof finds it.
        #expect(try await proof.advance(tampered, at: rig.clock.now()).broken == nil)
        #expect(try await proof.advance(tampered, anew: true, at: rig.clock.now()).broken == 3)
        let page = try await desk.get("/console/audit")
        #expect(page.text.contains("The chain is broken.") && page.text.contains("out of place: 3."))
        #expect(!page.text.contains("The chain holds"))
        let token = try desk.token(page)
        #expect(try await desk.post("/console/audit/proof", []).status == 403)
        #expect(try await desk.get("/console/audit/proof").status == 405)
        #expect(try await desk.post("/console/audit/proof", [("csrf", token)]).status == 303)
        #expect(try await desk.get("/console/audit").text.contains("The chain holds"))
    }

    @Test func `a page proves a part of a long chain at a time, and says so`() async throws {
        let (rig, _) = try await Self.rig()
        let events = try await rig.store.audit(from: 1, limit: 1000)
        let proof = AuditProof()
        let whole = Tampered(events, at: 0) { _ in }
        #expect(try await proof.advance(whole, most: 2, at: rig.clock.now()).last?.sequence == 2)
        #expect(try await proof.advance(whole, most: 3, at: rig.clock.now()).last?.sequence == 5)
        let state = try await proof.advance(whole, at: rig.clock.now())
        #expect(state.last == events.last && state.broken == nil)
        // An event that is not there.
        let gap = Tampered(events.filter { $0.sequence != 4 }, at: 0) { _ in }
        #expect(try await AuditProof().advance(gap, most: 3, at: rig.clock.now()).broken == nil)
        #expect(try await AuditProof().advance(gap, at: rig.clock.now()).broken == 4)
        // An event with a word that none has.
        var word = Tampered(events, at: 0) { _ in }
        word.unreadable = 4
        let found = try await AuditProof().advance(word, at: rig.clock.now())
        #expect(found.broken == 4 && found.last?.sequence == 3)
    }
}
