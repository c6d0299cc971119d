import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// Sessions whose verifier answers later, and calls whose answer was lost.
@Suite struct WaitingTests {
    @Test func `a pending verdict is polled for, and the submission ends in the ledger with it`() async throws {
        let provider = ScriptedProvider(.certified("a")) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let reply = try await rig.submitted()
        #expect(reply.status == 202 && reply.headers["Retry-After"] != nil)
        #expect(try await rig.ledger(reply.id) == ["primary submit started completed_any"])
        for _ in 0..<3 { await rig.pass(.seconds(2)) }
        #expect(provider.calls(.poll) >= 1)
        #expect(try await rig.status(reply.id) == .processing)
        provider.decideAll()
        async let waiting = rig.call("GET", "/v1/sessions/\(reply.id)?wait=30")
        try await rig.untilSomebodyWaits(for: reply.id)
        await rig.pass(.seconds(10))
        #expect(try await waiting.sessionStatus == "verified")
        #expect(
            try await rig.ledger(reply.id) == [
                "primary submit started completed_any", "primary submit ended completed_any verified",
            ])
        let asked = provider.calls(.poll)
        for _ in 0..<5 { await rig.pass(.seconds(10)) }
        #expect(provider.calls(.poll) == asked && provider.calls(.submit) == 1)
    }

    @Test func `polls that are billed are numbered, and each is started before and ended after`() async throws {
        let billing = [VerificationStep.poll: BillingRule(.statusCheck, when: .call)]
        let provider = ScriptedProvider(.certified("a", billing: billing)) { _ in .later(.seconds(1), isVerified: true)
        }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        await rig.pass(.seconds(2))
        provider.decideAll()
        await rig.pass(.seconds(4))
        #expect(try await rig.status(id) == .verified)
        #expect(
            try await rig.ledger(id) == [
                "primary submit started non_billable", "primary poll:1 started status_check",
                "primary poll:1 ended status_check", "primary poll:2 started status_check",
                "primary poll:2 ended status_check verified", "primary submit ended non_billable verified",
            ])
    }

    @Test func `a lost answer is fetched and resolves what was uncertain`() async throws {
        let provider = ScriptedProvider(.certified("a")) { _ in .answerLost }
        let rig = try Rig.providers([provider])
        let reply = try await rig.submitted()
        #expect(reply.status == 202)
        await rig.pass(.seconds(2))
        #expect(try await rig.status(reply.id) == .verified)
        #expect(
            try await rig.ledger(reply.id) == [
                "primary submit started completed_any", "primary submit uncertain completed_any",
                "primary submit resolved completed_any verified",
            ])
        let events = try await rig.store.ledger(of: SessionID(reply.id))
        #expect(events[2].draft.settles == events[1].sequence)
        #expect(provider.calls(.submit) == 1)
    }

    @Test(arguments: ["polled", "told"])
    func `a session that is erased while it waits ends with its verdict, without claims, and then its provider erases`(
        way: String
    ) async throws {
        let description = VerifierDescription.certified(
            "a", steps: [.submit, .poll, .erase], isNotified: way == "told")
        let provider = ScriptedProvider(description, needsMemory: true) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        #expect(try await rig.call("DELETE", "/v1/sessions/" + id).status == 204)
        let worker = OutboxWorker(of: rig.gateway, sender: ScriptedReceiver(status: 200))
        func deliver() async {
            await worker.take()
            await worker.idle(upTo: .seconds(20))
        }
        await deliver()
        await rig.pass(.seconds(3))
        // Nothing is erased there that is still to be told.
        #expect(provider.calls(.erase) == 0)
        #expect(try await rig.status(id) == .processing)
        provider.decideAll()
        if way == "told" {
            let attempt = try #require(try await rig.record(id).attempt)
            let notice = ScriptedProvider.notice("n1", ScriptedProvider.reference(attempt), "verified")
            #expect(try await rig.notify("a", notice) == .concluded)
        } else {
            await rig.pass(.seconds(5))
        }
        let record = try await rig.record(id)
        #expect(record.status == .verified && record.sealedResult == nil)
        let answer = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(answer.result?["claims"] is NSNull && answer.json["reference"] is NSNull)
        #expect(
            try await rig.ledger(id) == [
                "primary submit started completed_any", "primary submit ended completed_any verified",
            ])
        rig.clock.advance(by: OutboxWorker.lease)
        await deliver()
        #expect(provider.calls(.erase) == 1)
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))
    }

    @Test func `where there is only poll, a lost answer is polled for, in time and for the ledger's sake later`()
        async throws
    {
        for isReachable in [true, false] {
            let provider = ScriptedProvider(
                .certified("a", steps: [.submit, .poll]),
                ask: { _, number in isReachable || number >= 12 ? nil : .unreachable }
            ) { _ in .answerLost }
            let rig = try Rig.providers([provider], retention: .seconds(86_400 * 30))
            let id = try await rig.submitted().id
            #expect(try await rig.record(id).wait?.step == .poll)
            await rig.pass(.seconds(2))
            #expect(try await rig.status(id) == (isReachable ? .verified : .processing))
            for _ in 0..<32 { await rig.pass(.seconds(1)) }
            #expect(try await rig.status(id) == (isReachable ? .verified : .failed))
            for _ in 0..<10 { await rig.pass(.seconds(86_400)) }
            #expect(
                try await rig.ledger(id) == [
                    "primary submit started completed_any", "primary submit uncertain completed_any",
                    "primary submit resolved completed_any verified",
                ])
            #expect(try await rig.status(id) == (isReachable ? .verified : .failed))
            #expect(provider.calls(.submit) == 1 && provider.calls(.fetch) == 0)
        }
    }

    @Test func `an erased session whose asking took its memory has an uncertain call from the deadline on`()
        async throws
    {
        let provider = ScriptedProvider(.certified("a"), needsMemory: true) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        #expect(try await rig.call("DELETE", "/v1/sessions/" + id).status == 204)
        provider.decideAll()
        for _ in 0..<25 { await rig.pass(.seconds(1)) }
        #expect(try await rig.status(id) == .processing)
        #expect(try await rig.ledger(id) == ["primary submit started completed_any"])
        for _ in 0..<10 { await rig.pass(.seconds(1)) }
        let record = try await rig.record(id)
        #expect(record.status == .failed && record.failure == .providerTimeout)
        #expect(
            try await rig.ledger(id) == [
                "primary submit started completed_any", "primary submit uncertain completed_any",
            ])
        #expect(try await rig.store.openCalls(limit: 9).isEmpty)
        // Nothing that is asked later can change that: it is left to the invoice.
        for _ in 0..<5 { await rig.pass(.seconds(86_400)) }
        #expect(try await rig.ledger(id).count == 2)
        #expect(try await rig.store.uncertainCalls(after: 0, limit: 9).count == 1)
        #expect(provider.calls(.poll) == 0 && provider.calls(.fetch) == 0 && provider.calls(.submit) == 1)
    }

    @Test func `an erased session that is asked for by our own names gets its verdict, without claims`() async throws {
        for isInTime in [true, false] {
            let provider = ScriptedProvider(.certified("a")) { _ in .later(nil, isVerified: true) }
            let rig = try Rig.providers([provider], retention: .seconds(86_400 * 30))
            let id = try await rig.submitted().id
            #expect(try await rig.call("DELETE", "/v1/sessions/" + id).status == 204)
            if !isInTime { for _ in 0..<32 { await rig.pass(.seconds(1)) } }
            provider.decideAll()
            for _ in 0..<9 { await rig.pass(.seconds(isInTime ? 2 : 86_400)) }
            let record = try await rig.record(id)
            #expect(record.status == (isInTime ? .verified : .failed))
            #expect(record.sealedResult == nil && record.erasedAt != nil)
            #expect(
                try await rig.ledger(id) == [
                    "primary submit started completed_any",
                    isInTime
                        ? "primary submit ended completed_any verified" : "primary submit uncertain completed_any",
                ] + (isInTime ? [] : ["primary submit resolved completed_any verified"]))
            #expect(provider.calls(.submit) == 1)
        }
    }

    @Test func `a submission that never arrived is resolved as failed, and not billed`() async throws {
        let provider = ScriptedProvider(.certified("a")) { _ in .requestLost }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        await rig.pass(.seconds(2))
        let record = try await rig.record(id)
        #expect(record.status == .failed && record.failure == .providerUnavailable)
        #expect(try await rig.ledger(id).last == "primary submit resolved non_billable failed")
        #expect(provider.calls(.submit) == 1)
    }

    @Test func `errors of questions are asked again, a wish to wait is kept, and nothing is asked past the deadline`()
        async throws
    {
        let provider = ScriptedProvider(
            .certified("a"),
            ask: { _, number in number == 1 ? .refused(.providerUnavailable, .seconds(10)) : .unreachable }
        ) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        for _ in 0..<4 { await rig.pass(.seconds(2)) }
        #expect(provider.calls(.poll) == 1)
        for _ in 0..<60 { await rig.pass(.seconds(1)) }
        let record = try await rig.record(id)
        #expect(record.status == .failed && record.failure == .providerTimeout)
        #expect((2...8).contains(provider.calls(.poll)))
        let asked = provider.calls(.poll)
        for _ in 0..<10 { await rig.pass(.seconds(3)) }
        #expect(provider.calls(.poll) == asked)
    }

    @Test func `after the deadline the ledger still learns what became of a call, and the session does not`()
        async throws
    {
        let provider = ScriptedProvider(
            .certified("a"), ask: { _, number in number < 12 ? .unreachable : nil }
        ) { _ in .answerLost }
        let rig = try Rig.providers([provider], retention: .seconds(86_400 * 30))
        let id = try await rig.submitted().id
        for _ in 0..<32 { await rig.pass(.seconds(1)) }
        let before = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(before.sessionStatus == "failed")
        for _ in 0..<10 { await rig.pass(.seconds(86_400)) }
        #expect(try await rig.ledger(id).last == "primary submit resolved completed_any verified")
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text == before.text)
        let asked = provider.calls(.fetch)
        for _ in 0..<10 { await rig.pass(.seconds(86_400)) }
        #expect(provider.calls(.fetch) == asked)
    }

    @Test func `what never becomes known is asked about so many times and no more`() async throws {
        let provider = ScriptedProvider(.certified("a"), ask: { _, _ in .unreachable }) { _ in .answerLost }
        let rig = try Rig.providers([provider], retention: .seconds(86_400 * 60))
        let id = try await rig.submitted().id
        for _ in 0..<32 { await rig.pass(.seconds(1)) }
        let asked = provider.calls(.fetch)
        for _ in 0..<28 { await rig.pass(.seconds(86_400)) }
        #expect(provider.calls(.fetch) - asked <= WaitSchedule.lateTries)
        #expect(try await rig.ledger(id).last == "primary submit uncertain completed_any")
    }

    @Test func `a pending session past its deadline is uncertain, and a verdict that comes later is an event`()
        async throws
    {
        let provider = ScriptedProvider(.certified("a")) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        for _ in 0..<32 { await rig.pass(.seconds(1)) }
        #expect(try await rig.status(id) == .failed)
        #expect(try await rig.ledger(id).last == "primary submit uncertain completed_any")
        // An invoice will name it by the provider's reference, which our account has to know.
        let lost = try #require(try await rig.store.ledger(of: SessionID(id)).last).draft
        #expect(lost.providerReference == ScriptedProvider.reference(lost.attempt))
        provider.decideAll()
        await rig.pass(.seconds(120))
        #expect(try await rig.ledger(id).last == "primary submit resolved completed_any verified")
        #expect(try await rig.status(id) == .failed)
    }

    @Test func `a waiting session whose verifier is gone fails, and its call is uncertain`() async throws {
        let store = MemoryStore()
        let clock = ManualClock()
        let provider = ScriptedProvider(.certified("a")) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([provider], store: store, clock: clock)
        let id = try await rig.submitted().id
        let other = ScriptedProvider(.certified("b")) { _ in .rejected }
        let after = try Rig.providers([other], store: store, clock: clock)
        await after.pass(.seconds(3))
        let record = try await after.record(id)
        #expect(record.status == .failed && record.failure == .verifierGone)
        #expect(
            try await after.ledger(id) == [
                "primary submit started completed_any", "primary submit uncertain completed_any",
            ])
        let lost = try #require(try await after.store.ledger(of: SessionID(id)).last).draft
        #expect(lost.providerReference == ScriptedProvider.reference(lost.attempt))
    }

    @Test func `pauses grow, are spread, keep a provider's wish and end before the deadline`() {
        let now = Timestamp(seconds: 1000)
        let far = now.advanced(by: .seconds(10_000))
        func next(_ asked: Int, _ wish: Duration? = nil, chance: Double = 0, deadline: Timestamp? = nil) -> Duration? {
            WaitSchedule.next(asked: asked, retryAfter: wish, chance: chance, at: now, deadline: deadline ?? far)
                .map { $0.duration(since: now) }
        }
        #expect((0...6).map { next($0) } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(next(0, chance: 1) == .milliseconds(1250))
        #expect(next(1000) == .seconds(30))
        #expect(next(0, .seconds(7)) == .seconds(7))
        #expect(next(0, .zero) == .seconds(1))
        let near = now.advanced(by: .seconds(5))
        #expect(next(5, deadline: near) == .seconds(4))
        #expect(next(0, .seconds(7), deadline: near) == nil)
        #expect(next(0, deadline: now) == nil)
    }
}
