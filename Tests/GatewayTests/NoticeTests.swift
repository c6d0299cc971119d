import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// What a provider's notices do, in every order in which they can come.
@Suite struct NoticeTests {
    private static func provider(
        _ id: String = "a", steps: Set<VerificationStep> = [.submit, .fetch],
        submit: @escaping @Sendable (Int) -> ScriptedProvider.Act = { _ in .later(nil, isVerified: true) }
    ) -> ScriptedProvider {
        ScriptedProvider(.certified(id, steps: steps, isNotified: true), submit: submit)
    }

    private func reference(_ rig: Rig, _ id: String) async throws -> String {
        ScriptedProvider.reference(try #require(try await rig.record(id).attempt))
    }

    @Test func `a notice with a verdict ends its session, and its duplicates do nothing`() async throws {
        let rig = try Rig.providers([Self.provider()])
        let id = try await rig.submitted().id
        let notice = ScriptedProvider.notice("n1", try await reference(rig, id), "verified")
        #expect(try await rig.notify("a", notice) == .concluded)
        let ledger = try await rig.ledger(id)
        #expect(
            ledger == ["primary submit started completed_any", "primary submit ended completed_any verified"])
        let before = try await rig.call("GET", "/v1/sessions/" + id).text
        for _ in 0..<3 { #expect(try await rig.notify("a", notice) == .duplicate) }
        #expect(try await rig.ledger(id) == ledger)
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text == before)
    }

    @Test func `P13 a notice that is not authentic is refused and changes nothing`() async throws {
        let provider = Self.provider()
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        let reference = try await reference(rig, id)
        for signature in ["bad", "old", ""] {
            await #expect(throws: Problem(.unauthorized)) {
                _ = try await rig.notify("a", ScriptedProvider.notice("n", reference, "verified", signature: signature))
            }
        }
        await #expect(throws: Problem(.unauthorized)) {
            _ = try await rig.notify("a", Notification(headers: [], body: Sensitive([])))
        }
        for verifier in ["nobody", "b"] {
            await #expect(throws: Problem(.routeNotFound)) {
                _ = try await rig.notify(verifier, ScriptedProvider.notice("n", reference, "verified"))
            }
        }
        #expect(try await rig.status(id) == .processing)
        // Its name is not spent by them.
        #expect(try await rig.notify("a", ScriptedProvider.notice("n", reference, "verified")) == .concluded)
    }

    @Test func `P16 a notice for the first of two sessions ends the first, and one for nobody is taken and counted`()
        async throws
    {
        let rig = try Rig.providers([Self.provider()])
        let (first, second) = (try await rig.submitted().id, try await rig.submitted().id)
        #expect(
            try await rig.notify("a", ScriptedProvider.notice("n1", try await reference(rig, first), "verified"))
                == .concluded)
        #expect(try await rig.status(first) == .verified)
        #expect(try await rig.status(second) == .processing)
        #expect(try await rig.notify("a", ScriptedProvider.notice("n2", "ref-nobody", "verified")) == .unknownReference)
        #expect(try await rig.status(second) == .processing)
        #expect(
            try await rig.call("GET", "/metrics", key: nil).text.contains(
                #"sekisho_notices_total{verifier="a",effect="unknown_reference"} 1"#))
    }

    @Test func `a notice about another verifier's session is refused`() async throws {
        let (first, second) = (Self.provider("a"), Self.provider("b"))
        let rig = try Rig.providers([first, second])
        let id = try await rig.submitted().id
        let reference = try await reference(rig, id)
        await #expect(throws: Problem.self) {
            _ = try await rig.notify("b", ScriptedProvider.notice("n1", reference, "verified"))
        }
        #expect(try await rig.status(id) == .processing)
    }

    @Test func `a notice without a result has it fetched, once`() async throws {
        let provider = Self.provider()
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        provider.decideAll()
        let notice = ScriptedProvider.notice("n1", try await reference(rig, id), "")
        #expect(try await rig.notify("a", notice) == .fetching)
        #expect(try await rig.notify("a", notice) == .duplicate)
        await Housekeeper(of: rig.gateway).ask()
        #expect(try await rig.status(id) == .verified)
        #expect(provider.calls(.fetch) == 1)
    }

    @Test func `a notice before our own answer was written is not lost, whichever of the two comes first`()
        async throws
    {
        // The verdict comes by notice while the submission is still out; then the submission answers as it likes.
        for late in [
            ScriptedProvider.Act.verified(Rig.claims), .later(nil, isVerified: true), .answerLost, .unreachable,
            .rejected,
        ] {
            let gate = Gate()
            let provider = ScriptedProvider(
                .certified("a", steps: [.begin, .submit, .fetch], isNotified: true)
            ) { _ in .gated(gate, late) }
            let spare = ScriptedProvider(.certified("b")) { _ in .verified(Rig.claims) }
            let rig = try Rig.providers([provider, spare])
            let id = try await rig.create().id
            async let reply = rig.submit(id)
            await gate.untilArrived()
            let notice = ScriptedProvider.notice("n1", try await reference(rig, id), "verified")
            #expect(try await rig.notify("a", notice) == .concluded)
            gate.open()
            #expect(try await reply.sessionStatus == "verified")
            #expect(try await rig.status(id) == .verified)
            #expect(
                try await rig.ledger(id) == [
                    "primary submit started completed_any", "primary submit ended completed_any verified",
                ])
            #expect(spare.calls(.submit) == 0)
        }
    }

    @Test func `a notice by a reference that only the submission's answer brings is held until it is there`()
        async throws
    {
        let gate = Gate()
        let provider = Self.provider { _ in .gated(gate, .later(nil, isVerified: true)) }
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        async let reply = rig.submit(id)
        await gate.untilArrived()
        let reference = try await reference(rig, id)
        async let effect = rig.notify("a", ScriptedProvider.notice("n1", reference, "verified"))
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await rig.status(id) == .processing)
        gate.open()
        #expect(try await reply.status == 202)
        #expect(try await effect == .concluded)
        #expect(try await rig.status(id) == .verified)
    }

    @Test func `a notice without a result during the submission has it fetched as soon as that is over`() async throws {
        let gate = Gate()
        let provider = ScriptedProvider(
            .certified("a", steps: [.begin, .submit, .fetch], isNotified: true)
        ) { _ in .gated(gate, .later(.seconds(20), isVerified: true)) }
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        async let reply = rig.submit(id)
        await gate.untilArrived()
        #expect(try await rig.notify("a", ScriptedProvider.notice("n1", try await reference(rig, id), "")) == .fetching)
        await Housekeeper(of: rig.gateway).ask()
        #expect(provider.calls(.fetch) == 0)
        gate.open()
        #expect(try await reply.status == 202)
        provider.decideAll()
        await Housekeeper(of: rig.gateway).ask()
        #expect(try await rig.status(id) == .verified)
    }

    @Test func `a notice before the submission, one that says nothing new and an odd one leave the session as it is`()
        async throws
    {
        let provider = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], isNotified: true)
        ) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        let reference = try await reference(rig, id)
        #expect(try await rig.notify("a", ScriptedProvider.notice("n1", reference, "verified")) == .noted)
        #expect(try await rig.status(id) == .created)
        _ = try await rig.submit(id)
        #expect(try await rig.notify("a", ScriptedProvider.notice("n2", reference, "pending")) == .noted)
        #expect(try await rig.notify("a", ScriptedProvider.notice("n3", reference, "odd")) == .unusable)
        #expect(try await rig.status(id) == .processing)
        #expect(try await rig.notify("a", ScriptedProvider.notice("n4", reference, "rejected")) == .concluded)
        #expect(try await rig.status(id) == .rejected)
    }

    @Test func `a late notice is an event of the ledger, never a status`() async throws {
        let provider = Self.provider(steps: [.submit]) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        let reference = try await reference(rig, id)
        for _ in 0..<32 { await rig.pass(.seconds(1)) }
        let before = try await rig.call("GET", "/v1/sessions/" + id).text
        #expect(try await rig.notify("a", ScriptedProvider.notice("n1", reference, "verified")) == .late)
        #expect(try await rig.ledger(id).last == "primary submit resolved completed_any verified")
        // A second opinion about what is settled adds nothing.
        let ledger = try await rig.ledger(id)
        #expect(try await rig.notify("a", ScriptedProvider.notice("n2", reference, "rejected")) == .late)
        #expect(try await rig.ledger(id) == ledger)
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text == before)
    }

    @Test func `a notice never turns a verdict around`() async throws {
        let rig = try Rig.providers([Self.provider { _ in .rejected }])
        let reply = try await rig.submitted()
        #expect(reply.sessionStatus == "rejected")
        let notice = ScriptedProvider.notice("n1", try await reference(rig, reply.id), "verified")
        #expect(try await rig.notify("a", notice) == .late)
        #expect(try await rig.status(reply.id) == .rejected)
        #expect(try await rig.ledger(reply.id).count == 2)
    }

    @Test func `two hundred deliveries of one notice end a session once`() async throws {
        let rig = try Rig.providers([Self.provider()])
        let id = try await rig.submitted().id
        let notice = ScriptedProvider.notice("n1", try await reference(rig, id), "verified")
        let effects = try await withThrowingTaskGroup(of: NoticeEffect.self) { group in
            for _ in 0..<200 { group.addTask { try await rig.notify("a", notice) } }
            return try await group.reduce(into: [NoticeEffect]()) { $0.append($1) }
        }
        #expect(effects.contains(.concluded))
        #expect(effects.allSatisfy { $0 == .concluded || $0 == .duplicate })
        #expect(try await rig.ledger(id).count == 2)
        #expect(
            rig.metrics.exposition(gauges: []).contains(
                #"sekisho_sessions_ended_total{verifier="a",status="verified"} 1"#))
    }
}
