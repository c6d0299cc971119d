import Foundation
import MemoryStore
import Routing
import TestSupport
import Testing
import VerificationCore

@testable import Gateway

/// One session with a verifier that reaches out: what is written, what is asked, what the app sees.
@Suite struct ProviderFlowTests {
    private static let verified: @Sendable (Int) -> ScriptedProvider.Act = { _ in .verified(Rig.claims) }

    @Test func `a call is started in the claim's own transaction and ended with the verdict`() async throws {
        let gate = Gate()
        let provider = ScriptedProvider(.certified("a")) { _ in .gated(gate, .verified(Rig.claims)) }
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        #expect(try await rig.ledger(id).isEmpty)
        async let reply = rig.submit(id)
        await gate.untilArrived()
        #expect(try await rig.ledger(id) == ["primary submit started completed_any"])
        gate.open()
        #expect(try await reply.sessionStatus == "verified")
        #expect(
            try await rig.ledger(id) == [
                "primary submit started completed_any", "primary submit ended completed_any verified",
            ])
        let record = try await rig.record(id)
        let attempt = try #require(record.attempt)
        #expect(provider.submissionsTaken == [attempt.rawValue + "-submit": 1])
        #expect(record.providerReference == ScriptedProvider.reference(attempt))
    }

    @Test(arguments: [
        (BillingRule.Condition.verified, "non_billable"), (.verdict, "completed_pass"), (.call, "completed_pass"),
    ])
    func `a rejection is billed where the plan says so, and never falls back`(
        condition: BillingRule.Condition, billed: String
    ) async throws {
        let rule = BillingRule(.completedPass, when: condition)
        let first = ScriptedProvider(.certified("a", billing: [.submit: rule])) { _ in .rejected }
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let reply = try await rig.submitted()
        #expect(reply.sessionStatus == "rejected")
        #expect(try await rig.ledger(reply.id).last == "primary submit ended \(billed) rejected")
        #expect(second.calls(.submit) == 0)
    }

    @Test func `the result names the program that the provider's answer names`() async throws {
        let start = Timestamp(seconds: 1_790_000_000)
        let declared = Certification(
            regime: "bango-18-4", holder: "H", program: "P", version: "1", number: "N", validFrom: start,
            validUntil: start.advanced(by: .seconds(86_400_000)))
        for (act, version) in [
            (ScriptedProvider.Act.verifiedBy(program: "P", version: "1.1"), "1.1"), (.verified(Rig.claims), "1"),
        ] {
            let provider = ScriptedProvider(.certified("a", certification: declared)) { _ in act }
            let rig = try Rig.providers([provider])
            let id = try await rig.submitted().id
            let recorded = try #require(try await rig.record(id).certification)
            #expect(recorded.version == version && recorded.program == "P" && recorded.number == "N")
            let names = rig.lines.text.contains("another program than its certification names")
            #expect(names == (version != "1"))
        }
    }

    @Test func `a begin that is billed is started before and ended with the session's creation`() async throws {
        let billing = [VerificationStep.begin: BillingRule(.sessionCreated, when: .call)]
        let provider = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], billing: billing), submit: Self.verified)
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        #expect(
            try await rig.ledger(id) == [
                "primary begin started session_created", "primary begin ended session_created",
            ])
        #expect(try await rig.record(id).providerReference != nil)
        _ = try await rig.submit(id)
        #expect(
            try await Array(rig.ledger(id).dropFirst(2)) == [
                "primary submit started non_billable", "primary submit ended non_billable verified",
            ])
    }

    @Test func `a begin that failed passes to the next verifier, with the reason kept`() async throws {
        let billing = [VerificationStep.begin: BillingRule(.sessionCreated, when: .call)]
        let first = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], billing: billing), begin: { _ in .unreachable },
            submit: Self.verified)
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let id = try await rig.create().id
        let record = try await rig.record(id)
        #expect(record.verifier == VerifierID("b"))
        #expect(record.routing.passedOver == [Routing.PassedOver(VerifierID("a"), .beginFailed)])
        #expect(first.calls(.begin) == 1)
        #expect(
            try await rig.ledger(id) == [
                "primary begin started session_created", "primary begin ended non_billable failed",
            ])
        #expect(try await rig.submit(id).sessionStatus == "verified")
        #expect(first.calls(.submit) == 0)
    }

    @Test func `a verifier that can never give a required claim is passed over, and rejects nobody for it`()
        async throws
    {
        let first = ScriptedProvider(.certified("a", claims: [ClaimName("birthdate")]), submit: Self.verified)
        let second = ScriptedProvider(.certified("b", claims: [ClaimName("name")]), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let id = try await rig.create().id
        #expect(try await rig.record(id).routing.passedOver == [Routing.PassedOver(VerifierID("a"), .unsuitable)])
        #expect(try await rig.submit(id).sessionStatus == "verified")
        #expect(first.calls(.submit) == 0 && second.calls(.submit) == 1)
        // Nor is it asked as a fallback.
        let failing = ScriptedProvider(.certified("b")) { _ in .unreachable }
        let other = try Rig.providers([failing, first])
        #expect(try await other.submitted().sessionStatus == "failed")
        #expect(first.calls(.submit) == 0)
    }

    @Test func `a begin whose answer is lost is uncertain, and nobody else is asked`() async throws {
        let billing = [VerificationStep.begin: BillingRule(.sessionCreated, when: .call)]
        let first = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], billing: billing), begin: { _ in .answerLost },
            submit: Self.verified)
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let reply = try await rig.create()
        #expect(reply.status == 503 && reply.code == "verifier_unavailable" && reply.headers["Retry-After"] != nil)
        #expect(try await rig.store.counts().isEmpty)
        let events = try await rig.store.ledger(from: 1, limit: 10).map(\.draft)
        #expect(events.map(\.kind) == [.started, .uncertain])
        #expect(events.map(\.billableClass) == [.sessionCreated, .sessionCreated])
        #expect(second.calls(.begin) == 0)
    }

    @Test func `a provider's nonce is used as it is, once, and never a short one`() async throws {
        let fresh = ScriptedProvider(
            .certified("a", steps: [.begin, .submit], nonce: .provider), submit: Self.verified)
        let rig = try Rig.providers([fresh])
        let first = try await rig.create()
        #expect(first.json["nonce"] as? String != nil)
        #expect(try await rig.record(first.id).nonce.bytes.count == 26)
        let store = MemoryStore()
        for nonce in [[UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 15)] {
            let fixed = FixedNonce(nonce: nonce)
            let rig = try Rig(
                store: store, verifiers: [fixed.opened],
                table: RoutingTable(rules: [RoutingRule(name: "r", targets: [WeightedTarget(VerifierID("fixed"))])]))
            let isLong = nonce.count >= 16
            #expect(try await rig.create().status == (isLong ? 201 : 503))
            #expect(try await rig.create().code == "verifier_unavailable")
        }
        #expect(try await store.counts()[.created] == 1)
    }

    @Test
    func `a verifier that is open, held or full at the submission is told with Retry-After, and nothing is spent`()
        async throws
    {
        var settings = CircuitSettings()
        settings.concurrency = 1
        let gate = Gate()
        let provider = ScriptedProvider(.certified("a")) { _ in .gated(gate, .verified(Rig.claims)) }
        let rig = try Rig.providers([provider], circuits: settings)
        let (first, second) = (try await rig.create().id, try await rig.create().id)
        async let running = rig.submit(first)
        await gate.untilArrived()
        let full = try await rig.submit(second)
        #expect(full.status == 503 && full.code == "verifier_unavailable" && full.headers["Retry-After"] != nil)
        #expect(try await rig.status(second) == .created)
        #expect(try await rig.ledger(second).isEmpty)
        gate.open()
        #expect(try await running.sessionStatus == "verified")
        let circuits = rig.gateway.sessions.current.circuits
        let now = rig.clock.monotonic()
        #expect(circuits.hold(VerifierID("a"), .open, until: now + .seconds(60), at: now))
        #expect(try await rig.submit(second).status == 503)
        #expect(try await rig.create().code == "verifier_unavailable")
        #expect(try await rig.status(second) == .created)
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.submit(second).sessionStatus == "verified")
        #expect(provider.calls(.submit) == 2)
    }

    @Test func `P18 a provider that always fails is called once for each submission, and its circuit opens`()
        async throws
    {
        var settings = CircuitSettings()
        settings.minimumCalls = 4
        let provider = ScriptedProvider(.certified("a")) { _ in .refused(.providerUnavailable, nil) }
        let rig = try Rig.providers([provider], circuits: settings)
        var ids: [String] = []
        for _ in 0..<6 { ids.append(try await rig.create().id) }
        var statuses: [Int] = []
        for id in ids { statuses.append(try await rig.submit(id).status) }
        #expect(statuses == [200, 200, 200, 200, 503, 503])
        #expect(provider.calls(.submit) == 4)
        let events = try await rig.store.ledger(from: 1, limit: 100).map(\.draft)
        #expect(events.count { $0.kind == .started } == 4)
        #expect(events.count { $0.kind == .ended && $0.outcome == .failed && $0.billableClass == .nonBillable } == 4)
        #expect(try await rig.status(ids[4]) == .created)
        // The operator is told which call it was and what was wrong with it.
        let told = rig.lines.text.split(separator: "\n").filter { $0.contains("a verifier could not tell") }
        #expect(told.count == 4)
        #expect(told.allSatisfy { $0.contains(#""step":"submit","code":"provider_unavailable","problem":""#) })
    }

    @Test func `S01 two hundred parallel submissions to a provider are one call and one charge`() async throws {
        let provider = ScriptedProvider(.certified("a")) { _ in .slow(.milliseconds(50), .verified([:])) }
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
            for _ in 0..<200 { group.addTask { try await rig.submit(id) } }
            return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.count { $0.sessionStatus == "verified" } == 1)
        #expect(replies.count { $0.code == "session_already_submitted" } == 199)
        #expect(Array(provider.submissionsTaken.values) == [1])
        #expect(try await rig.ledger(id).count == 2)
        // Not one of the others kept a place at the verifier.
        let now = rig.clock.monotonic()
        let circuit = rig.gateway.sessions.current.circuits.snapshot(
            of: VerifierID("a"), at: now, wall: rig.clock.now())
        #expect(circuit?.running == 0)
    }

    @Test func `P10 each call has a key of its own, and every repeat of it carries the same one`() async throws {
        let store = MemoryStore()
        let clock = ManualClock()
        let provider = ScriptedProvider(.certified("a", steps: [.begin, .submit, .poll])) { _ in
            .later(nil, isVerified: true)
        }
        let rig = try Rig.providers([provider], store: store, clock: clock)
        let (first, second) = (try await rig.submitted().id, try await rig.submitted().id)
        var keys: Set<String> = []
        for id in [first, second] {
            let attempt = Attempt(
                id: try #require(try await rig.record(id).attempt), role: .primary, verifier: provider.description,
                of: try await rig.record(id))
            for call in [
                attempt.call(.begin), attempt.call(.submit), attempt.call(.poll, number: 1),
                attempt.call(.poll, number: 2),
            ] {
                let key = call.context(at: clock.now(), deadline: clock.now()).idempotencyKey
                #expect(
                    key == call.context(at: clock.now().advanced(by: .seconds(9)), deadline: clock.now()).idempotencyKey
                )
                #expect(keys.insert(key).inserted)
            }
        }
        #expect(Set(provider.book.taken.keys).isSubset(of: keys))
        #expect(provider.book.taken.values.allSatisfy { $0 == 1 })
    }

    @Test func `whether a client is told by a webhook stands on its sessions`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let told = try Rig.providers([provider], notifies: true)
        _ = try await told.submitted()
        #expect(try await told.store.outboxCounts().waiting == 1)
        let untold = try Rig.providers([provider])
        _ = try await untold.submitted()
        #expect(try await untold.store.outboxCounts().waiting == 0)
    }

    @Test func `an app that hangs up cancels nothing`() async throws {
        let gate = Gate()
        let provider = ScriptedProvider(.certified("a")) { _ in .gated(gate, .verified(Rig.claims)) }
        let rig = try Rig.providers([provider])
        let id = try await rig.create().id
        let caller = Task { try await rig.submit(id) }
        await gate.untilArrived()
        caller.cancel()
        gate.open()
        _ = try? await caller.value
        #expect(try await eventually { try await rig.status(id) == .verified })
    }

    @Test func `erasure goes to every provider that was given the evidence`() async throws {
        let first = ScriptedProvider(.certified("a", steps: [.submit, .erase])) { _ in .unreachable }
        let second = ScriptedProvider(.certified("b", steps: [.submit, .erase]), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let id = try await rig.submitted().id
        #expect(try await rig.call("DELETE", "/v1/sessions/" + id).status == 204)
        let now = rig.clock.now()
        let messages = try await rig.store.takeDueMessages(at: now, lease: now, limit: 10)
        let ticket = try #require(messages.first { $0.kind == .providerErasure }?.ticket)
        let targets = try EraseTicket(opening: ticket, of: SessionID(id), keys: rig.keys).targets
        #expect(targets.map(\.verifier) == [VerifierID("a"), VerifierID("b")])
        #expect(
            targets.last?.challenge.providerReference == ScriptedProvider.reference(try #require(targets.last?.attempt))
        )
        #expect(throws: SessionSeal.Problem.damaged) {
            _ = try EraseTicket(opening: ticket, of: SessionID("ses_other"), keys: rig.keys)
        }
    }
}

/// A provider that makes the same nonce each time.
private struct FixedNonce: Verifier {
    let nonce: [UInt8]
    var opened: OpenedVerifier {
        OpenedVerifier(
            description: .certified("fixed", steps: [.begin, .submit], nonce: .provider, keys: nil), verifier: self,
            health: nil)
    }

    func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge {
        guard let nonce = Nonce(nonce) else { throw VerificationError(.internal, "no nonce") }
        return Challenge(
            request: request, nonce: nonce,
            walletIdentity: WalletIdentity(merchantIdentifier: "m", teamIdentifier: "T"), state: Sensitive([]))
    }

    func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion { throw VerificationError(.internal, "never") }
}
