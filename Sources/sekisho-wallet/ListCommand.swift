import JSONTree
import WalletKit

/// `faults` and `variants`: what the wallet can do wrong, and what it can do otherwise.
enum ListCommand {
    static func faults(_ arguments: [String]) throws {
        let options = try Options(arguments, values: [], flags: ["json"])
        if options.has("json") {
            print(JSONValue.array(Fault.all.map(json)).text)
            return
        }
        let rows = Fault.all.map { fault in
            [
                fault.name, fault.expectation?.check ?? "(none)", fault.expectation?.reason ?? "(verifies)",
                fault.explanation + (fault.need.map { " [needs \($0.rawValue)]" } ?? ""),
            ]
        }
        table([["name", "check", "reason", "what is wrong"]] + rows)
    }

    static func variants(_ arguments: [String]) throws {
        let options = try Options(arguments, values: [], flags: ["json"])
        if options.has("json") {
            let list = Variant.all.map { variant in
                JSONValue.object([("name", .string(variant.name)), ("explanation", .string(variant.explanation))])
            }
            print(JSONValue.array(list).text)
            return
        }
        table([["name", "what is odd"]] + Variant.all.map { [$0.name, $0.explanation] })
    }

    private static func json(_ fault: Fault) -> JSONValue {
        .object([
            ("name", .string(fault.name)), ("check", .string(orNull: fault.expectation?.check)),
            ("reason", .string(orNull: fault.expectation?.reason)),
            (
                "others",
                .array(
                    fault.others.map { .object([("check", .string($0.check)), ("reason", .string($0.reason))]) })
            ),
            ("needs", .string(orNull: fault.need?.rawValue)), ("explanation", .string(fault.explanation)),
        ])
    }

    private static func table(_ rows: [[String]]) {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
            }
            print(cells.joined(separator: "  "))
        }
    }
}
