public import JSONTree
import VerificationCore

/// A book as its own reader reads it: a closed month keeps the prices that it was closed by.
extension PriceBook {
    /// The book as JSON, its members in a fixed order.
    public var json: JSONValue {
        .object([
            ("name", .string(name)), ("time_zone", .string(zone.name)),
            (
                "verifiers",
                .object(
                    verifiers.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value.json) })
            ),
        ])
    }

    /// Reads what ``json`` wrote; `nil` where it is no book.
    init?(frozen node: JSONNode) {
        let problems = JSONProblemList()
        guard let book = PriceBook.read(JSONReader(node, problems: problems), known: nil), problems.problems.isEmpty
        else { return nil }
        self = book
    }
}

extension VerifierPrices {
    var json: JSONValue {
        .object([
            ("currency", .string(currency.code)), ("time_zone", .string(zone.name)),
            ("month_by", .string(billingTime.rawValue)), ("tariffs", .array(tariffs.map(\.json))),
        ])
    }
}

extension Tariff {
    var json: JSONValue {
        var members: [(String, JSONValue)] = [("from", .string(from.description))]
        if let until { members.append(("until", .string(until.description))) }
        members.append(
            (
                "prices",
                .object(prices.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value.json) })
            ))
        members.append(("not_billed", .array(notBilled.map(\.rawValue).sorted().map { .string($0) })))
        members.append(("flat_fee", .string(flatFee.description)))
        members.append(("minimum", .string(minimum.description)))
        members.append(
            (
                "tax",
                .object([("rate", .string(taxRate.description)), ("rounding", .string(rounding.rawValue))])
            ))
        return .object(members)
    }
}

extension Price {
    var json: JSONValue {
        .object([
            ("free", .integer(free)), ("kind", .string(kind.rawValue)),
            (
                "steps",
                .array(
                    steps.map { step in
                        .object(
                            (step.upTo.map { [("up_to", JSONValue.integer($0))] } ?? [])
                                + [("unit", .string(step.unit.description))])
                    })
            ),
        ])
    }
}
