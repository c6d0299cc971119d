import Billing
import VerificationCore

extension SessionService {
    /// Brings the budgets up to the ledger, and tells of limits that were reached.
    func refreshBudgets() async throws(Problem) {
        let terms = Budgets.Terms(current)
        let (now, store, budgets) = (clock.now(), store, budgets)
        try await stored { () async throws(StoreError) in try await budgets.refresh(terms, from: store, at: now) }
        for (reached, used) in budgets.untold(at: now) { await tell(reached, used: used, at: now) }
    }

    /// Tells of a limit that was reached: the operators and the audit chain once, whatever is restarted meanwhile; the
    /// log and the metrics once in each process.
    private func tell(_ reached: BudgetBook.Reached, used: ExactAmount, at now: Timestamp) async {
        let message = current.settings.operatorWebhook == nil ? nil : reached.message(used: used, at: now)
        var draft = auditDraft(.budgetReached, by: AuditDraft.gateway)
        draft.at = now
        draft.subject = "\(reached.budget) \(reached.period)"
        draft.outcome = reached.limit.rawValue
        draft.count = used.whole
        let audit = draft
        do throws(StoreError) {
            _ = try await persisted { () async throws(StoreError) in
                try await self.store.tell(reached.name, message, audit: audit)
            }
        } catch {
            // It stays untold, and is tried again with the next look.
            metrics.count(.storeErrors, [("code", error.rawValue)])
            return log(
                .error, "a budget's limit could not be told", at: now, [(.code, .text(error.rawValue))])
        }
        guard budgets.tell(reached) else { return }
        metrics.count(.budgets, reached.budget.labels + [("limit", reached.limit.rawValue)])
        var fields: [(Log.Key, Log.Value)] = [
            (.subject, .text(reached.budget.description)), (.state, .text(reached.limit.rawValue)),
            (.count, .number(used.whole)),
        ]
        if let verifier = reached.budget.verifier { fields.append((.verifier, .text(verifier.rawValue))) }
        if let client = reached.budget.client { fields.append((.client, .text(client.rawValue))) }
        log(reached.limit == .soft ? .warning : .error, "budget_reached", at: now, fields)
    }
}

extension Budget {
    /// The budget as labels of a metric.
    var labels: [(String, String)] {
        [
            ("verifier", verifier?.rawValue ?? ""), ("client", client?.rawValue ?? ""), ("per", period.rawValue),
            ("unit", unit.rawValue), ("currency", currency?.code ?? ""),
        ]
    }

    /// The number of a figure, for a metric: of money in whole minor units, rounded down.
    func number(_ figure: ExactAmount) -> Int {
        Int(clamping: currency.map { figure.minorUnits(of: $0, .down) } ?? figure.whole)
    }

    /// The figure of a limit.
    func edge(_ limit: BudgetBook.Limit) -> ExactAmount? {
        switch limit {
        case .soft: soft
        case .hard: hard
        }
    }
}
