import Billing
import VerificationCore

/// What is used of the budgets; nothing where there are none.
struct BudgetsSection: Sendable {
    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }

    var html: HTML? {
        let standings = visit.service.budgets.standings(at: visit.now)
        guard !standings.isEmpty else { return nil }
        return HTML(.section, [.text(.ariaLabelledBy, "budgets")]) {
            HTML(.h2, [.id("budgets")]) { words(.budgets) }
            HTML(.p) { words(.budgetsText) }
            DataTable(
                words(.budgets),
                [
                    .init(title: words(.verifier)), .init(title: words(.client)), .init(title: words(.period)),
                    .init(title: words(.counted)), .init(title: words(.used), isNumber: true),
                    .init(title: words(.promised), isNumber: true), .init(title: words(.softLimit), isNumber: true),
                    .init(title: words(.hardLimit), isNumber: true), .init(title: words(.state)),
                ], rows: standings.map(row)
            ).html
        }
    }

    private func row(_ standing: BudgetBook.Standing) -> [DataTable.Cell] {
        let budget = standing.budget
        return [
            .init(budget.verifier?.rawValue ?? words(.allOfThem)), .init(budget.client?.rawValue ?? words(.allOfThem)),
            .init(budget.name(ofPeriodFrom: standing.from)),
            .init(unit(budget)), figure(standing.used, budget), figure(standing.promised, budget),
            figure(budget.soft, budget), figure(budget.hard, budget), state(standing),
        ]
    }

    private func unit(_ budget: Budget) -> String {
        switch budget.unit {
        case .attempts: words(.attempts)
        case .billable: words(.billable)
        case .amount: words(.amount)
        }
    }

    private func figure(_ figure: ExactAmount?, _ budget: Budget) -> DataTable.Cell {
        .init {
            if let figure {
                if let currency = budget.currency {
                    Figures.money(figure.description, currency)
                } else {
                    HTML(Figures.grouped(figure.description))
                }
            } else {
                HTML("–")
            }
        }
    }

    private func state(_ standing: BudgetBook.Standing) -> DataTable.Cell {
        let budget = standing.budget
        let isHard = budget.hard.map { standing.promised >= $0 } ?? false
        let isSoft = budget.soft.map { standing.used >= $0 } ?? false
        return .init {
            HTML(.span, isHard || isSoft ? [.class("mark bad")] : [.class("mark good")]) {
                words(isHard ? .hardReached : isSoft ? .softReached : .withinBudget)
            }
        }
    }
}
