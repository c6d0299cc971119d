import Billing
import Cryptography
import JSONTree
import VerificationCore

extension BudgetBook.Reached {
    /// The type, as Standard Webhooks names events.
    static let messageType = "budget.reached"

    /// The period: a day, or a month.
    var period: String { budget.name(ofPeriodFrom: from) }

    /// The name that it is told under. A limit that was moved is another one, and is told of as well.
    var name: String {
        let edge = budget.edge(limit).map { "\($0)" } ?? ""
        return "budget \(budget) \(limit.rawValue) \(edge) \(period)"
    }

    /// What the operators are told. It is made once and kept, so each delivery carries the same bytes.
    func message(used: ExactAmount, at now: Timestamp) -> OutboxMessage {
        let id = "msg_" + ByteText.hex(Hash.sha256(name.utf8).prefix(Self.nameBytes)) + "_budget_reached"
        return OutboxMessage(
            id: id, budgetReached: body(used: used, at: now), verifier: budget.verifier, client: budget.client,
            createdAt: now)
    }

    /// Of the hash of the name: as many bytes as a session's identifier has, so that no two meet.
    private static let nameBytes = 16

    private func body(used: ExactAmount, at now: Timestamp) -> [UInt8] {
        JSONValue.object([
            ("type", .string(Self.messageType)),
            ("timestamp", SessionRendering.time(now)),
            (
                "data",
                .object(
                    [("limit", .string(limit.rawValue)), ("period", .string(period))] + budget.members
                        + [("used", budget.value(used))])
            ),
        ]).encoded()
    }
}

extension Budget {
    /// What it is for, as members of an object.
    var members: [(String, JSONValue)] {
        [
            ("verifier", .string(orNull: verifier?.rawValue)), ("client", .string(orNull: client?.rawValue)),
            ("per", .string(period.rawValue)), ("unit", .string(unit.rawValue)),
            ("currency", .string(orNull: currency?.code)), ("soft", soft.map(value) ?? .null),
            ("hard", hard.map(value) ?? .null),
        ]
    }

    /// Whether what a verifier does is counted, for some client at least.
    func isOf(_ verifier: VerifierID) -> Bool { self.verifier.map { $0 == verifier } ?? true }

    /// A figure: a count as a number, money as an exact decimal.
    func value(_ figure: ExactAmount) -> JSONValue {
        switch unit {
        case .attempts, .billable: .integer(figure.whole)
        case .amount: .string(figure.description)
        }
    }
}
