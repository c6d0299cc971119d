import Billing
import MemoryStore
import Routing
import VerificationCore

@testable import Gateway

/// What tests of budgets have in common: a gateway with budgets, what they counted, and what was told of them.
protocol BudgetScene {}

extension BudgetScene {
    static var verified: @Sendable (Int) -> ScriptedProvider.Act { { _ in .verified(Rig.claims) } }

    func rig(
        _ providers: [ScriptedProvider], _ budgets: [Budget], store: any Store = MemoryStore(),
        clock: ManualClock = ManualClock(), shadow: ShadowShare? = nil,
        change: (inout GatewaySettings) -> Void = { _ in }
    ) throws -> Rig {
        let ids = providers.map(\.description.id)
        let rule = RoutingRule(
            name: "all", targets: ids.prefix(1).map { WeightedTarget($0) },
            fallbacks: shadow == nil ? Array(ids.dropFirst()) : [], shadow: shadow)
        return try Rig(
            store: store, clock: clock, verifiers: providers.map(\.opened), table: RoutingTable(rules: [rule]),
            change: {
                $0.budgets = budgets
                change(&$0)
            })
    }

    func budget(
        _ verifier: String? = nil, client: String? = nil, per period: Budget.Period = .month,
        _ unit: Budget.Unit = .attempts, soft: Int64? = nil, hard: Int64? = nil
    ) -> Budget {
        Budget(
            verifier: verifier.map { VerifierID($0) }, client: client.map { ClientID($0) }, period: period, unit: unit,
            soft: soft.map { ExactAmount($0) }, hard: hard.map { ExactAmount($0) })
    }

    func used(_ rig: Rig) async throws -> [Int64] {
        try await rig.gateway.sessions.refreshBudgets()
        return rig.gateway.sessions.budgets.standings(at: rig.clock.now()).map(\.used.whole)
    }

    func told(_ rig: Rig) async throws -> [AuditDraft] {
        var filter = AuditFilter()
        filter.actions = [.budgetReached]
        return try await rig.store.audit(filter, before: nil, limit: 99).reversed().map(\.draft)
    }
}
