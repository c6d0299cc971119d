import Billing
import JSONTree
import Routing
import VerificationCore

extension Plan {
    /// The plan as JSON.
    var json: JSONValue {
        .object([
            ("safe", .boolean(isSafe)), ("before", .string(orNull: before)), ("after", .string(after)),
            ("moves", .array(moves.map(\.json))),
            ("contents", contents.map { .array($0.map(\.json)) } ?? .null),
            ("open_sessions", .array(pinned.map(\.json))),
            ("certifications", .array(certifications.map(\.json))),
            (
                "alarms",
                .array(
                    alarms.map { verifier, alarm in
                        .object([
                            ("verifier", .string(verifier.rawValue)), ("code", .string(alarm.code)),
                            ("subject", .string(alarm.subject)),
                            ("days_left", alarm.daysLeft.map { .integer($0) } ?? .null),
                        ])
                    })
            ),
            (
                "windows",
                .array(
                    windows.map { rule, window, holds in
                        .object([
                            ("rule", .string(rule)), ("holds", .boolean(holds)),
                            ("from", .string(orNull: window.from.map { RFC3339.text($0) })),
                            ("until", .string(orNull: window.until.map { RFC3339.text($0) })),
                        ])
                    })
            ),
            ("budgets", .array(budgets.map(\.json))),
            ("restarts", .array(restarts.map { .string($0) })),
            (
                "dangers",
                .array(dangers.map { .object([("code", .string($0.code)), ("words", .string($0.words))]) })
            ),
        ])
    }
}

extension Plan.Move {
    /// Where sessions of one kind go, before and after.
    var json: JSONValue {
        .object([
            ("purpose", .string(purpose.rawValue)), ("document_type", .string(documentType)),
            ("client", .string(client.rawValue)), ("changes", .boolean(isChange)),
            ("before", before?.json ?? .null), ("after", after?.json ?? .null),
        ])
    }
}

extension RoutingForecast {
    /// The forecast as JSON.
    var json: JSONValue {
        .object([
            ("rule", .string(orNull: rule)), ("shares", .array(shares.map(\.json))),
            ("fallbacks", .array(fallbacks.map { .string($0.rawValue) })),
            (
                "shadow",
                shadow.map {
                    .object([("verifier", .string($0.verifier.rawValue)), ("percent", .integer($0.percent))])
                } ?? .null
            ),
        ])
    }
}

extension Plan.BudgetChange {
    /// The budget with its limits before and after; `null` where it was or is none.
    var json: JSONValue {
        .object([
            ("budget", .string(budget.description)), ("before", Plan.BudgetChange.json(before)),
            ("after", Plan.BudgetChange.json(after)),
        ])
    }

    private static func json(_ budget: Budget?) -> JSONValue {
        guard let budget else { return .null }
        return .object([
            ("soft", .string(orNull: budget.soft?.description)), ("hard", .string(orNull: budget.hard?.description)),
        ])
    }
}

extension Plan.Pinned {
    /// How many sessions, and what becomes of them.
    var json: JSONValue {
        .object([
            ("verifier", .string(verifier.rawValue)), ("sessions", .integer(sessions)),
            ("fate", .string(fate.rawValue)),
        ])
    }
}

extension Plan.CertificationNote {
    /// What is the matter with it.
    var json: JSONValue {
        .object([
            ("verifier", .string(verifier.rawValue)), ("state", .string(state.rawValue)), ("days", .integer(days)),
        ])
    }
}
