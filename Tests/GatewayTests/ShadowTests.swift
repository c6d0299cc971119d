import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// The second verification: nobody waits for it, and nothing but agree or differ is kept of it.
@Suite struct ShadowTests {
    private static func table(percent: Int = 100) -> RoutingTable {
        RoutingTable(rules: [
            RoutingRule(
                name: "r", targets: [WeightedTarget(VerifierID("a"))],
                shadow: ShadowShare(verifier: VerifierID("s"), percent: percent))
        ])
    }

    private func rig(
        _ primary: @escaping @Sendable (Int) -> ScriptedProvider.Act, _ shadow: ScriptedProvider,
        store: any Store = MemoryStore(), clock: ManualClock = ManualClock(), circuits: CircuitSettings? = nil
    ) throws -> Rig {
        try Rig.providers(
            [ScriptedProvider(.certified("a"), submit: primary), shadow], table: Self.table(), store: store,
            clock: clock, circuits: circuits)
    }

    private func counts(_ rig: Rig) async throws -> Set<String> {
        let day = CivilDate(daysSinceEpoch: rig.clock.now().milliseconds / 86_400_000)
        let next = CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1)
        return Set(
            try await rig.store.shadowCounts(from: day, until: next).map {
                "\($0.primary) \($0.shadow) \($0.subject) \($0.outcome.rawValue) \($0.count)"
            })
    }

    @Test func `what both say is compared, claim by claim, and only agree or differ is kept`() async throws {
        var claims = Rig.claims
        claims[ClaimName("birthdate")] = .text("1971-09-02")
        claims[ClaimName("portrait")] = .image(mediaType: "image/jpeg", data: [1, 2, 3])
        let shadow = ScriptedProvider(.certified("s"), claims: claims) { _ in .verified([:]) }
        let rig = try rig({ _ in .verified([:]) }, shadow)
        let reply = try await rig.submitted()
        #expect(reply.sessionStatus == "verified")
        await rig.gateway.sessions.shadows.untilIdle()
        #expect(
            try await counts(rig) == [
                "a s verdict agree 1", "a s claim:name agree 1", "a s claim:birthdate differ 1",
                "a s claim:portrait shadow_only 1",
            ])
        #expect(
            try await rig.ledger(reply.id).suffix(2) == [
                "shadow submit started completed_any", "shadow submit ended completed_any verified",
            ])
        let attempts = try await rig.store.ledger(of: SessionID(reply.id)).map(\.draft.attempt)
        #expect(Set(attempts).count == 2)
        #expect(
            rig.metrics.exposition(gauges: []).contains(
                #"sekisho_shadow_comparisons_total{subject="claim:birthdate",outcome="differ"} 1"#))
        #expect(try await rig.record(reply.id).answeredBy == nil)
        #expect(!rig.lines.text.contains("1971"))
    }

    @Test func `verdicts that differ are counted, and the session's is the primary's`() async throws {
        for (primary, shadow, outcome) in [
            (ScriptedProvider.Act.rejected, ScriptedProvider.Act.verified([:]), "differ"),
            (.rejected, .rejected, "agree"),
            (.verified([:]), .rejected, "differ"), (.verified([:]), .unreachable, "failed"),
            (.verified([:]), .answerLost, "failed"),
        ] {
            let second = ScriptedProvider(.certified("s")) { _ in shadow }
            let rig = try rig({ _ in primary }, second)
            let reply = try await rig.submitted()
            let before = try await rig.call("GET", "/v1/sessions/" + reply.id).text
            await rig.gateway.sessions.shadows.untilIdle()
            #expect(try await counts(rig) == ["a s verdict \(outcome) 1"])
            #expect(try await rig.call("GET", "/v1/sessions/" + reply.id).text == before)
            #expect(second.calls(.submit) == 1)
            #expect(rig.gateway.sessions.shadows.held == 0)
        }
    }

    @Test func `what a shadow billed that cannot be asked is known where each call bills, and else uncertain`()
        async throws
    {
        for (condition, end) in [
            (BillingRule.Condition.call, "ended"), (.verdict, "uncertain"), (.verified, "uncertain"),
        ] {
            let billing = [VerificationStep.submit: BillingRule(.completedAny, when: condition)]
            let shadow = ScriptedProvider(
                .certified("s", steps: [.submit], isNotified: true, billing: billing)
            ) { _ in .later(nil, isVerified: true) }
            let rig = try rig({ _ in .verified([:]) }, shadow)
            let id = try await rig.submitted().id
            await rig.gateway.sessions.shadows.untilIdle()
            #expect(
                try await rig.ledger(id).suffix(2) == [
                    "shadow submit started completed_any", "shadow submit \(end) completed_any",
                ])
            let last = try #require(try await rig.store.ledger(of: SessionID(id)).last?.draft)
            #expect(last.providerReference == ScriptedProvider.reference(last.attempt))
        }
    }

    @Test func `a shadow that answers later is asked out of the way, and then compared`() async throws {
        for (isVerified, outcome, last) in [
            (true, "agree", "shadow submit ended completed_any verified"),
            (false, "differ", "shadow submit ended completed_any rejected"),
        ] {
            let shadow = ScriptedProvider(.certified("s", steps: [.submit, .poll, .erase])) { _ in
                .later(nil, isVerified: isVerified)
            }
            let rig = try rig({ _ in .verified([:]) }, shadow)
            let reply = try await rig.submitted()
            #expect(reply.sessionStatus == "verified")
            await rig.gateway.sessions.shadows.untilIdle()
            // It holds neither evidence nor a place among those that run.
            #expect(rig.gateway.sessions.shadows.held == 0 && rig.gateway.sessions.shadows.awaited.count == 1)
            await rig.pass(.seconds(2))
            #expect(shadow.calls(.poll) == 1 && shadow.calls(.erase) == 0)
            #expect(try await counts(rig).isEmpty)
            #expect(try await rig.ledger(reply.id).last == "shadow submit started completed_any")
            shadow.decideAll()
            await rig.pass(.seconds(5))
            #expect(try await counts(rig).contains("a s verdict \(outcome) 1"))
            #expect(try await counts(rig).contains("a s claim:name agree 1") == isVerified)
            #expect(try await rig.ledger(reply.id).last == last)
            #expect(shadow.calls(.poll) == 2 && shadow.calls(.erase) == 1 && shadow.calls(.submit) == 1)
            #expect(rig.gateway.sessions.shadows.awaited.count == 0)
            for _ in 0..<9 { await rig.pass(.seconds(10)) }
            #expect(shadow.calls(.poll) == 2 && shadow.calls(.erase) == 1)
        }
    }

    @Test func `a shadow that never answers is given up, and its call is uncertain`() async throws {
        let shadow = ScriptedProvider(
            .certified("s", steps: [.submit, .poll, .erase]), ask: { _, number in number == 1 ? .unreachable : nil }
        ) { _ in .later(nil, isVerified: true) }
        let rig = try rig({ _ in .verified([:]) }, shadow)
        let id = try await rig.submitted().id
        await rig.gateway.sessions.shadows.untilIdle()
        for _ in 0..<70 { await rig.pass(.seconds(1)) }
        #expect(try await counts(rig) == ["a s verdict failed 1"])
        #expect(try await rig.ledger(id).last == "shadow submit uncertain completed_any")
        #expect((3...9).contains(shadow.calls(.poll)) && shadow.calls(.erase) == 1)
        #expect(rig.gateway.sessions.shadows.awaited.count == 0)
        #expect(try await rig.status(id) == .verified)
    }

    @Test func `a shadow is not asked about an erased session, nor where nobody can be asked`() async throws {
        let shadow = ScriptedProvider(.certified("s", steps: [.submit, .poll, .erase])) { _ in
            .later(nil, isVerified: true)
        }
        let erased = try rig({ _ in .verified([:]) }, shadow)
        let id = try await erased.submitted().id
        await erased.gateway.sessions.shadows.untilIdle()
        #expect(try await erased.call("DELETE", "/v1/sessions/" + id).status == 204)
        await erased.pass(.seconds(3))
        #expect(shadow.calls(.poll) == 0 && shadow.calls(.erase) == 1)
        #expect(try await erased.ledger(id).last == "shadow submit uncertain completed_any")
        let mute = ScriptedProvider(.certified("s", steps: [.submit], isNotified: true)) { _ in
            .later(nil, isVerified: true)
        }
        let told = try rig({ _ in .verified([:]) }, mute)
        let other = try await told.submitted().id
        await told.gateway.sessions.shadows.untilIdle()
        #expect(try await counts(told) == ["a s verdict failed 1"])
        #expect(try await told.ledger(other).last == "shadow submit uncertain completed_any")
        #expect(erased.gateway.sessions.shadows.awaited.count + told.gateway.sessions.shadows.awaited.count == 0)
    }

    @Test func `only so many shadows are awaited, and those beyond are not compared`() async throws {
        let shadow = ScriptedProvider(.certified("s")) { _ in .later(nil, isVerified: true) }
        let rig = try rig({ _ in .verified([:]) }, shadow)
        for _ in 0..<(AwaitedShadows.maximum + 3) {
            _ = try await rig.submitted()
            await rig.gateway.sessions.shadows.untilIdle()
        }
        #expect(rig.gateway.sessions.shadows.awaited.count == AwaitedShadows.maximum)
        #expect(try await rig.store.uncertainCalls(after: 0, limit: 99).count == 3)
        shadow.decideAll()
        await rig.pass(.seconds(2))
        #expect(try await counts(rig).contains("a s verdict agree \(AwaitedShadows.maximum)"))
        #expect(rig.gateway.sessions.shadows.awaited.count == 0)
    }

    @Test func `nobody waits for a shadow, and more than there is room for are not verified again`() async throws {
        let gate = Gate()
        let shadow = ScriptedProvider(.certified("s")) { _ in .gated(gate, .verified([:])) }
        let rig = try rig({ _ in .verified([:]) }, shadow)
        let wanted = Shadows.maximumRunning + Shadows.maximumHeld + 5
        for _ in 0..<wanted { #expect(try await rig.submitted().sessionStatus == "verified") }
        await gate.untilArrived(Shadows.maximumRunning)
        #expect(shadow.calls(.submit) == Shadows.maximumRunning)
        #expect(rig.gateway.sessions.shadows.held <= Shadows.maximumHeld)
        gate.open()
        await rig.gateway.sessions.shadows.untilIdle()
        #expect(shadow.calls(.submit) < wanted)
        #expect(
            rig.metrics.exposition(gauges: []).contains(
                #"sekisho_shadow_comparisons_total{subject="skipped",outcome="overloaded"}"#))
        #expect(rig.gateway.sessions.shadows.held == 0)
    }

    @Test func `an erased session is shown to nobody, and one without a verdict is not verified again`() async throws {
        let gate = Gate()
        let shadow = ScriptedProvider(.certified("s")) { _ in .verified([:]) }
        let erased = try rig({ _ in .gated(gate, .verified([:])) }, shadow)
        let id = try await erased.create().id
        async let reply = erased.submit(id)
        await gate.untilArrived()
        #expect(try await erased.call("DELETE", "/v1/sessions/" + id).status == 204)
        gate.open()
        #expect(try await reply.sessionStatus == "verified")
        await erased.gateway.sessions.shadows.untilIdle()
        let failing = try rig({ _ in .unreachable }, shadow)
        #expect(try await failing.submitted().sessionStatus == "failed")
        let overdue = try rig({ _ in .later(nil, isVerified: true) }, shadow)
        _ = try await overdue.submitted()
        #expect(overdue.gateway.sessions.shadows.held == 1)
        for _ in 0..<32 { await overdue.pass(.seconds(1)) }
        #expect(overdue.gateway.sessions.shadows.held == 0)
        #expect(shadow.calls(.submit) == 0 && shadow.calls(.begin) == 0)
    }

    @Test func `a verdict that comes later is compared as well`() async throws {
        let shadow = ScriptedProvider(.certified("s")) { _ in .verified([:]) }
        let primary = ScriptedProvider(.certified("a")) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([primary, shadow], table: Self.table())
        let id = try await rig.submitted().id
        #expect(shadow.calls(.submit) == 0)
        primary.decideAll()
        await rig.pass(.seconds(3))
        #expect(try await rig.status(id) == .verified)
        await rig.gateway.sessions.shadows.untilIdle()
        #expect(try await counts(rig).contains("a s verdict agree 1"))
    }

    @Test func `a shadow without the wallet identity or with a full circuit is passed over`() async throws {
        let foreign = ScriptedProvider(.certified("s", keys: nil)) { _ in .verified([:]) }
        let first = try rig({ _ in .verified([:]) }, foreign)
        _ = try await first.submitted()
        let held = ScriptedProvider(.certified("s")) { _ in .verified([:]) }
        let second = try rig({ _ in .verified([:]) }, held)
        let now = second.clock.monotonic()
        _ = second.gateway.sessions.current.circuits.hold(VerifierID("s"), .open, until: now + .seconds(9), at: now)
        _ = try await second.submitted()
        for rig in [first, second] {
            await rig.gateway.sessions.shadows.untilIdle()
            #expect(try await counts(rig).isEmpty)
        }
        #expect(foreign.calls(.submit) == 0 && held.calls(.submit) == 0)
    }

    @Test func `digests under two keys have nothing in common`() {
        var generator = SystemRandomNumberGenerator()
        let (first, second) = (ComparisonKey(using: &generator), ComparisonKey(using: &generator))
        let (name, value) = (ClaimName("name"), ClaimValue.text("番号　花子"))
        #expect(first.digest(of: name, value) == first.digest(of: name, value))
        #expect(first.digest(of: name, value) != second.digest(of: name, value))
        #expect(first.digest(of: name, value) != first.digest(of: ClaimName("given_name"), value))
        #expect("\(first)".contains("***"))
    }
}
