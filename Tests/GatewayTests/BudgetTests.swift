import Billing
import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// What a budget stops, and what counts towards it.
@Suite struct BudgetTests: BudgetScene {
    @Test func `a spent budget is routed around, and with nobody left a session is refused`() async throws {
        let providers = ["a", "b"].map { ScriptedProvider(.certified($0), submit: Self.verified) }
        let rig = try self.rig(providers, [budget("a", hard: 2), budget(hard: 3)])
        for _ in 0..<2 { #expect(try await rig.submitted().sessionStatus == "verified") }
        let third = try await rig.submitted()
        let record = try await rig.record(third.id)
        #expect(record.verifier == VerifierID("b"))
        #expect(record.routing.passedOver == [Routing.PassedOver(VerifierID("a"), .budgetSpent)])
        #expect(providers.map { $0.calls(.submit) } == [2, 1])
        let refused = try await rig.create()
        #expect(refused.status == 503 && refused.code == "verifier_unavailable")
        #expect(refused.headers["Retry-After"] != nil)
        #expect(providers.map { $0.calls(.submit) } == [2, 1])
    }

    @Test func `a session that was opened keeps its verifier, whatever becomes of the budget`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", per: .day, hard: 3)])
        var open: [String] = []
        for _ in 0..<3 { open.append(try await rig.create().id) }
        // Each has its place: nobody else is let in, and each of them is.
        #expect(try await rig.create().status == 503)
        #expect(try await used(rig) == [0])
        // A lower limit that comes into force later takes nobody's place away.
        rig.source.give(rig.next("test-2") { $0.budgets = [self.budget("a", per: .day, hard: 1)] })
        #expect(try await rig.reload().status == 200)
        for id in open { #expect(try await rig.submit(id).sessionStatus == "verified") }
        #expect(try await used(rig) == [3])
        #expect(try await rig.create().status == 503)
        #expect(provider.calls(.submit) == 3)
    }

    @Test func `many at once never go over a hard limit together`() async throws {
        let a = ScriptedProvider(
            .certified("a", billing: [.submit: BillingRule(.completedAny, when: .verdict, quantity: 3)]),
            submit: Self.verified)
        let b = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try self.rig([a, b], [budget("a", hard: 20), budget("a", .billable, hard: 50)])
        let ends = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<120 { group.addTask { try await rig.submitted().sessionStatus } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.allSatisfy { $0 == "verified" } && ends.count == 120)
        #expect(try await rig.create().status == 201)
        // 17 times three are more than fifty: a rest of two is left, and not a call over.
        #expect(try await used(rig) == [16, 48])
        #expect(a.calls(.submit) == 16 && b.calls(.submit) == 104)
        #expect(
            try await told(rig).map { "\($0.subject ?? "") \($0.outcome ?? "") \($0.count ?? 0)" } == [
                "a/*/month/billable 2026-09 hard 48"
            ])
    }

    @Test func `a place is given back when its session is cancelled, is over, or never came to be`() async throws {
        let provider = ScriptedProvider(
            .certified("a", steps: [.begin, .submit]), begin: { $0 == 1 ? .unreachable : .verified([:]) },
            submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", hard: 1)])
        #expect(try await rig.create().status == 503, "it could not begin")
        let first = try await rig.create().id
        #expect(try await rig.create().status == 503)
        _ = try await rig.call("POST", "/v1/sessions/\(first)/cancel", body: #"{"outcome":"user_declined"}"#)
        let second = try await rig.create()
        #expect(second.status == 201)
        await rig.pass(.seconds(901))
        #expect(try await rig.create().status == 503, "its submission may still be on its way")
        await rig.pass(.seconds(60))
        #expect(try await rig.submitted().sessionStatus == "verified")
        #expect(try await rig.create().status == 503)
    }

    @Test func `calls that bill count on every path: begin, submission, poll, and what is resolved late`() async throws
    {
        let rules: [VerificationStep: BillingRule] = [
            .begin: BillingRule(.sessionCreated, when: .call), .submit: BillingRule(.completedAny, when: .verdict),
            .poll: BillingRule(.statusCheck, when: .call, quantity: 2),
        ]
        let polled = ScriptedProvider(.certified("a", steps: [.begin, .submit, .poll], billing: rules)) { _ in
            .later(nil, isVerified: true)
        }
        let rig = try self.rig([polled], [budget("a", soft: 9), budget("a", .billable, soft: 1, hard: 4)])
        let id = try await rig.create().id
        #expect(try await used(rig) == [0, 1])
        #expect(try await rig.submit(id).sessionStatus == "processing")
        // Nobody knows yet whether it bills, so it counts.
        #expect(try await used(rig) == [1, 2])
        polled.decideAll()
        await rig.pass(.seconds(5))
        #expect(try await rig.status(id) == .verified)
        #expect(try await used(rig) == [1, 4])
        #expect(try await rig.create().status == 503)
    }

    @Test func `an answer that was lost counts until somebody knows, in the period in which it left`() async throws {
        let provider = ScriptedProvider(.certified("a", steps: [.submit])) { $0 == 1 ? .answerLost : .rejected }
        let rig = try self.rig([provider], [budget("a", .billable, hard: 1)])
        let reply = try await rig.submitted()
        #expect(try await used(rig) == [1])
        #expect(try await rig.create().status == 503)
        let open = try #require(try await rig.store.uncertainCalls(after: 0, limit: 9).first)
        var resolved = open.draft
        resolved.kind = .resolved
        resolved.outcome = .failed
        resolved.billableClass = .nonBillable
        resolved.settles = open.sequence
        try await rig.store.append([resolved])
        #expect(try await used(rig) == [0])
        #expect(try await rig.create().status == 201)
        #expect(try await rig.status(reply.id) == .processing)
    }

    @Test func `a shadow that has no budget left is left out, and the session never knows`() async throws {
        let providers = ["a", "s"].map { ScriptedProvider(.certified($0), submit: Self.verified) }
        let rig = try self.rig(
            providers, [budget("s", hard: 1)], shadow: ShadowShare(verifier: VerifierID("s"), percent: 100))
        for _ in 0..<3 {
            #expect(try await rig.submitted().sessionStatus == "verified")
            await rig.gateway.sessions.shadows.untilIdle()
        }
        #expect(providers.map { $0.calls(.submit) } == [3, 1])
        #expect(try await used(rig) == [1])
        let metrics = rig.metrics.exposition(gauges: [])
        #expect(
            metrics.contains(
                #"sekisho_shadow_comparisons_total{subject="skipped",outcome="budget_spent"} 2"#))
    }

    @Test func `what is verified here is counted as well, and a hard limit loses no verdict`() async throws {
        let rig = try Rig(change: {
            $0.budgets = [self.budget("in-house", hard: 2), self.budget(nil, .billable, hard: 9)]
        })
        for _ in 0..<2 { #expect(try await rig.submitted().sessionStatus == "verified") }
        #expect(try await rig.create().status == 503)
        #expect(try await used(rig) == [2, 2])
    }

    @Test func `a correction of the month counts in its budget`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let budgets = [budget("a", .billable, hard: 3), budget("a", client: "app", .billable, hard: 3)]
        let (store, clock) = (MemoryStore(), ManualClock())
        let rig = try self.rig([provider], budgets, store: store, clock: clock)
        #expect(try await rig.submitted().sessionStatus == "verified")
        var draft = LedgerDraft(
            kind: .adjusted, attempt: AttemptID(""), role: .primary, session: SessionID(""), verifier: VerifierID("a"),
            client: ClientID(""), purpose: PurposeID(""), at: clock.now(), billableClass: .completedAny, quantity: 2,
            configurationVersion: "test-1")
        draft.month = "2026-09"
        try await store.append([draft])
        #expect(try await used(rig) == [3, 1])
        #expect(try await rig.create().status == 503)
        #expect(try await used(try self.rig([provider], budgets, store: store, clock: clock)) == [3, 1])
    }

    @Test func `a budget begins anew on the next day`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", per: .day, hard: 1)])
        #expect(try await rig.submitted().sessionStatus == "verified")
        #expect(try await rig.create().status == 503)
        rig.clock.advance(by: .seconds(86_400))
        #expect(try await rig.submitted().sessionStatus == "verified")
    }

    @Test func `fallbacks count and are passed over as well`() async throws {
        let first = ScriptedProvider(.certified("a")) { _ in .refused(.providerUnavailable, nil) }
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try self.rig([first, second], [budget("b", .billable, hard: 1)])
        #expect(try await rig.submitted().sessionStatus == "verified")
        #expect(second.calls(.submit) == 1)
        let failed = try await rig.submitted()
        #expect(failed.sessionStatus == "failed")
        #expect(second.calls(.submit) == 1)
        // What billed nothing is counted as an attempt and not as billed.
        #expect(first.calls(.submit) == 2)
    }

    @Test func `what an earlier gateway did is counted after a restart, and what it opened keeps its place`()
        async throws
    {
        let (store, clock) = (MemoryStore(), ManualClock())
        let budgets = [budget("a", hard: 4), budget("a", .billable, hard: 9), budget("a", per: .day, soft: 99)]
        let provider = ScriptedProvider(.certified("a", steps: [.submit])) { $0 == 2 ? .answerLost : .rejected }
        let before = try rig([provider], budgets, store: store, clock: clock)
        for _ in 0..<2 { _ = try await before.submitted() }
        let open = try await before.create().id
        let after = try rig([provider], budgets, store: store, clock: clock)
        try await Housekeeper(of: after.gateway).recover()
        #expect(after.gateway.sessions.budgets.standings(at: clock.now()).map(\.used.whole) == [2, 2, 2])
        #expect(try await after.create().status == 201)
        #expect(try await after.create().status == 503)
        #expect(try await after.submit(open).sessionStatus == "rejected")
        #expect(try await used(after) == [3, 3, 3])
        #expect(try await used(before) == [3, 3, 3])
        // What is known later of a call that an earlier gateway made counts once.
        let lost = try #require(try await store.uncertainCalls(after: 0, limit: 9).first)
        var resolved = lost.draft
        (resolved.kind, resolved.outcome, resolved.settles) = (.resolved, .rejected, lost.sequence)
        try await store.append([resolved])
        #expect(try await used(after) == [3, 3, 3])
    }

    @Test func `a reload keeps what was counted, and another budget finds what was used before it`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", hard: 9)])
        for _ in 0..<2 { _ = try await rig.submitted() }
        let next = [budget("a", hard: 9), budget(nil, client: "app", .billable, hard: 2)]
        rig.source.give(rig.next("test-2") { $0.budgets = next })
        #expect(try await rig.reload().status == 200)
        #expect(rig.gateway.sessions.budgets.standings(at: rig.clock.now()).map(\.used.whole) == [2, 2])
        #expect(try await rig.create().status == 503)
        rig.source.give(rig.next("test-3") { $0.budgets = [] })
        #expect(try await rig.reload().status == 200)
        #expect(rig.gateway.sessions.budgets.standings(at: rig.clock.now()).isEmpty)
        #expect(try await rig.submitted().sessionStatus == "verified")
    }

    @Test func `money is a limit as well`() async throws {
        let book = try PriceBook.read(
            Array(
                """
                {name: "test", verifiers: {a: {currency: "JPY", tariffs: [
                  {from: "2026-01-01", prices: {completed_any: {unit: "150.5"}},
                   tax: {rate: "0.10", rounding: "down"}}]}}}
                """.utf8))
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let limit = Budget(
            verifier: VerifierID("a"), client: nil, period: .month, unit: .amount, currency: .yen,
            soft: ExactAmount("300.9"), hard: ExactAmount("451.5"))
        let rig = try self.rig([provider], [limit]) { $0.prices = book }
        for _ in 0..<3 { #expect(try await rig.submitted().sessionStatus == "verified") }
        #expect(try await rig.create().status == 503)
        try await rig.gateway.sessions.refreshBudgets()
        #expect(rig.gateway.sessions.budgets.standings(at: rig.clock.now()).map { "\($0.used)" } == ["451.5"])
        let metrics = try await rig.call("GET", "/metrics", key: nil).text
        #expect(
            metrics.contains(
                #"sekisho_budget_used{verifier="a",client="",per="month",unit="amount",currency="JPY"} 451"#))
        #expect(try await told(rig).map(\.outcome) == ["soft", "hard"])
    }

    @Test func `another client's budget is not mine`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", client: "app", hard: 1)])
        #expect(try await rig.submitted().sessionStatus == "verified")
        #expect(try await rig.create().status == 503)
        let other = try await rig.call(
            "POST", "/v1/sessions", key: Rig.otherKey, body: #"{"purpose":"account-opening"}"#)
        #expect(other.status == 201)
    }

    @Test func `the overview shows each budget, what is used and what has a place`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", client: "app", soft: 1, hard: 3000)])
        _ = try await rig.submitted()
        _ = try await rig.create()
        let desk = ConsoleDesk(rig)
        _ = try await desk.signIn(Rig.operatorKey)
        let page = try await desk.get("/console/overview").text
        let section = try #require(page.components(separatedBy: "id=\"budgets\"").dropFirst().first)
        for cell in ["2026-09", "3,000", "soft limit reached", ">1<", ">2<"] {
            #expect(section.contains(cell), "\(cell)")
        }
        let none = ConsoleDesk(try self.rig([provider], []))
        _ = try await none.signIn(Rig.operatorKey)
        #expect(try await !none.get("/console/overview").text.contains("id=\"budgets\""))
    }

    @Test
    func `a call that never left is not billed, and one that was answered with an error is uncertain if it may be`()
        async throws
    {
        let rule: [VerificationStep: BillingRule] = [.submit: BillingRule(.evidenceSubmitted, when: .call)]
        let ends: [(ScriptedProvider.Act, [String])] = [
            (.unreachable, ["primary submit ended non_billable failed"]),
            (.refused(.providerProtocolError, nil), ["primary submit ended non_billable failed"]),
            (.answerLost, ["primary submit uncertain evidence_submitted"]),
            (.rejected, ["primary submit ended evidence_submitted rejected"]),
            (.later(nil, isVerified: true), []),
        ]
        for (act, ledger) in ends {
            let provider = ScriptedProvider(.certified("a", steps: [.submit, .poll], billing: rule)) { _ in act }
            let rig = try self.rig([provider], [budget("a", .billable, hard: 1)])
            let id = try await rig.submitted().id
            #expect(
                try await rig.ledger(id) == ["primary submit started evidence_submitted"] + ledger, "\(act)")
            #expect(try await used(rig) == [ledger.first?.contains("non_billable") == true ? 0 : 1], "\(act)")
        }
    }

    @Test func `two who count at the same time count nothing twice`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", hard: 100)])
        for _ in 0..<5 { _ = try await rig.submitted() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await rig.gateway.sessions.refreshBudgets() } }
            try await group.waitForAll()
        }
        #expect(rig.gateway.sessions.budgets.standings(at: rig.clock.now()).map(\.used.whole) == [5])
    }
}
