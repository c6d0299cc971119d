import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// What a start makes of what the last stop cut short. A stop is made by never opening the gate that a call waits at:
/// the first gateway writes nothing any more, as a killed one does not.
@Suite struct RecoveryTests {
    private struct Stopped {
        let store = MemoryStore()
        let clock = ManualClock()
        let gate = Gate()
        let provider: ScriptedProvider
        let id: String

        /// A gateway that was stopped while its submission was out: the provider took it, or never saw it.
        init(
            steps: Set<VerificationStep> = [.submit, .poll, .fetch], isNotified: Bool = false, taken: Bool
        ) async throws {
            let gate = gate
            // The first submission never answers. What it did at the other side is in the books before.
            let provider = ScriptedProvider(.certified("a", steps: steps, isNotified: isNotified)) { _ in
                taken ? .takenThen(gate) : .gated(gate, .unreachable)
            }
            self.provider = provider
            let rig = try Rig.providers([provider], store: store, clock: clock)
            let id = try await rig.create().id
            self.id = id
            Task { _ = try await rig.submit(id) }
            await gate.untilArrived()
        }

        func restarted() async throws -> Rig {
            let rig = try Rig.providers([provider], store: store, clock: clock)
            try await Housekeeper(of: rig.gateway).recover()
            return rig
        }
    }

    @Test func `a kill between started and the answer leaves one open attempt, which the next start resolves`()
        async throws
    {
        for (taken, status, last) in [
            (true, SessionStatus.verified, "primary submit resolved completed_any verified"),
            (false, .failed, "primary submit resolved non_billable failed"),
        ] {
            let stopped = try await Stopped(taken: taken)
            let open = try await stopped.store.openCalls(limit: 10)
            #expect(open.count == 1)
            let rig = try await stopped.restarted()
            #expect(try await rig.store.openCalls(limit: 10).isEmpty)
            #expect(
                try await rig.ledger(stopped.id) == [
                    "primary submit started completed_any", "primary submit uncertain completed_any",
                ])
            #expect(try await rig.store.ledger(of: SessionID(stopped.id)).last?.draft.settles == open[0].sequence)
            // Started twice over, it is uncertain once.
            try await Housekeeper(of: rig.gateway).recover()
            #expect(try await rig.ledger(stopped.id).count == 2)
            #expect(try await rig.status(stopped.id) == .processing)
            await rig.pass(.seconds(1))
            #expect(try await rig.status(stopped.id) == status)
            #expect(try await rig.ledger(stopped.id).last == last)
            #expect(stopped.provider.calls(.submit) == 1)
            #expect(try await rig.submit(stopped.id).code == "session_already_submitted")
        }
    }

    @Test func `where nothing can be fetched the call stays uncertain, and the session fails at its deadline`()
        async throws
    {
        let stopped = try await Stopped(steps: [.submit], taken: true)
        let rig = try await stopped.restarted()
        for _ in 0..<25 { await rig.pass(.seconds(1)) }
        #expect(try await rig.status(stopped.id) == .processing)
        for _ in 0..<10 { await rig.pass(.seconds(1)) }
        #expect(try await rig.record(stopped.id).failure == .providerTimeout)
        #expect(try await rig.ledger(stopped.id).last == "primary submit uncertain completed_any")
        #expect(stopped.provider.calls(.fetch) == 0)
    }

    @Test func `a notice ends a session whose submission was cut short`() async throws {
        let store = MemoryStore()
        let clock = ManualClock()
        let gate = Gate()
        let provider = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], isNotified: true)
        ) { _ in .takenThen(gate) }
        let before = try Rig.providers([provider], store: store, clock: clock)
        let id = try await before.create().id
        Task { _ = try await before.submit(id) }
        await gate.untilArrived()
        let rig = try Rig.providers([provider], store: store, clock: clock)
        try await Housekeeper(of: rig.gateway).recover()
        let reference = ScriptedProvider.reference(try #require(try await rig.record(id).attempt))
        #expect(try await rig.notify("a", ScriptedProvider.notice("n", reference, "verified")) == .concluded)
        #expect(try await rig.ledger(id).last == "primary submit resolved completed_any verified")
    }

    @Test func `a session that waits for a promised verdict goes on waiting, and its call is not called lost`()
        async throws
    {
        let store = MemoryStore()
        let clock = ManualClock()
        let provider = ScriptedProvider(.certified("a")) { _ in .later(nil, isVerified: true) }
        let before = try Rig.providers([provider], store: store, clock: clock)
        let id = try await before.submitted().id
        // Taken to be asked for by a process that died.
        clock.advance(by: .seconds(2))
        #expect(
            try await store.takeDueWaits(at: clock.now(), lease: clock.now().advanced(by: .seconds(20)), limit: 9).count
                == 1)
        let rig = try Rig.providers([provider], store: store, clock: clock)
        try await Housekeeper(of: rig.gateway).recover()
        #expect(try await rig.ledger(id) == ["primary submit started completed_any"])
        provider.decideAll()
        await rig.pass(.seconds(5))
        #expect(try await rig.status(id) == .processing)
        await rig.pass(.seconds(16))
        #expect(try await rig.status(id) == .verified)
        #expect(try await rig.ledger(id).last == "primary submit ended completed_any verified")
    }

    @Test func `a promised verdict of a fallback, or of a provider without poll, is not called lost either`()
        async throws
    {
        for steps: Set<VerificationStep> in [[.submit, .poll, .fetch], [.submit, .fetch]] {
            let store = MemoryStore()
            let clock = ManualClock()
            let first = ScriptedProvider(.certified("a")) { _ in .unreachable }
            let second = ScriptedProvider(.certified("b", steps: steps)) { _ in .later(nil, isVerified: true) }
            let id = try await Rig.providers([first, second], store: store, clock: clock).submitted().id
            let rig = try Rig.providers([first, second], store: store, clock: clock)
            try await Housekeeper(of: rig.gateway).recover()
            let before = try await rig.ledger(id)
            #expect(before.last == "fallback submit started completed_any", "\(before)")
            second.decideAll()
            await rig.pass(.seconds(5))
            #expect(try await rig.status(id) == .verified)
            #expect(try await rig.ledger(id) == before + ["fallback submit ended completed_any verified"])
        }
    }

    @Test func `a kill while a shadow's verdict is awaited leaves its call uncertain, and the session as it was`()
        async throws
    {
        let store = MemoryStore()
        let clock = ManualClock()
        let table = RoutingTable(rules: [
            RoutingRule(
                name: "r", targets: [WeightedTarget(VerifierID("a"))],
                shadow: ShadowShare(verifier: VerifierID("s"), percent: 100))
        ])
        let primary = ScriptedProvider(.certified("a")) { _ in .verified([:]) }
        let shadow = ScriptedProvider(.certified("s")) { _ in .later(nil, isVerified: true) }
        let before = try Rig.providers([primary, shadow], table: table, store: store, clock: clock)
        let id = try await before.submitted().id
        await before.gateway.sessions.shadows.untilIdle()
        #expect(try await before.ledger(id).last == "shadow submit started completed_any")
        let rig = try Rig.providers([primary, shadow], table: table, store: store, clock: clock)
        try await Housekeeper(of: rig.gateway).recover()
        #expect(try await rig.ledger(id).last == "shadow submit uncertain completed_any")
        #expect(try await rig.status(id) == .verified)
        #expect(try await rig.store.openCalls(limit: 9).isEmpty)
    }

    @Test func `where there is only poll, the start has a call that was out polled for`() async throws {
        let stopped = try await Stopped(steps: [.submit, .poll], taken: true)
        let rig = try await stopped.restarted()
        #expect(try await rig.ledger(stopped.id).last == "primary submit uncertain completed_any")
        await rig.pass(.seconds(1))
        #expect(try await rig.status(stopped.id) == .verified)
        #expect(try await rig.ledger(stopped.id).last == "primary submit resolved completed_any verified")
        #expect(stopped.provider.calls(.submit) == 1)
    }

    @Test func `a begin that was out at the stop is uncertain, and no session came of it`() async throws {
        let store = MemoryStore()
        let clock = ManualClock()
        let gate = Gate()
        let billing = [VerificationStep.begin: BillingRule(.sessionCreated, when: .call)]
        let provider = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], billing: billing), begin: { _ in .takenThen(gate) }
        ) { _ in .rejected }
        let before = try Rig.providers([provider], store: store, clock: clock)
        Task { _ = try await before.create() }
        await gate.untilArrived()
        let rig = try Rig.providers([provider], store: store, clock: clock)
        try await Housekeeper(of: rig.gateway).recover()
        let events = try await store.ledger(from: 1, limit: 10).map(\.draft.kind)
        #expect(events == [.started, .uncertain])
        #expect(try await store.counts().isEmpty)
    }

    @Test func `many promised verdicts hide no call that was cut short`() async throws {
        let store = MemoryStore()
        let clock = ManualClock()
        let gate = Gate()
        let provider = ScriptedProvider(.certified("a")) { number in
            number <= 520 ? .later(nil, isVerified: true) : .takenThen(gate)
        }
        let before = try Rig.providers([provider], store: store, clock: clock)
        for _ in 0..<520 { _ = try await before.submitted() }
        let id = try await before.create().id
        Task { _ = try await before.submit(id) }
        await gate.untilArrived()
        let rig = try Rig.providers([provider], store: store, clock: clock)
        try await Housekeeper(of: rig.gateway).recover()
        #expect(try await rig.ledger(id).last == "primary submit uncertain completed_any")
        #expect(try await store.uncertainCalls(after: 0, limit: 10).count == 1)
        #expect(try await store.openCalls(limit: 1000).count == 520)
    }
}
