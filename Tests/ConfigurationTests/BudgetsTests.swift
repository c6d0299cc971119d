import Billing
import Configuration
import Foundation
import JSONTree
import Testing
import VerificationCore

@Suite struct BudgetsTests {
    private static let secret = "whsec_" + ByteText.base64(Array(repeating: 7, count: 24))

    private static let book = """
        {name: "2026", verifiers: {
          main: {currency: "JPY", tariffs: [
            {from: "2026-01-01", prices: {completed_any: {unit: "80"}}, tax: {rate: "0.10", rounding: "down"}}]},
          gone: {retired: true, currency: "USD", tariffs: [
            {from: "2026-01-01", prices: {completed_any: {unit: "1"}}, tax: {rate: "0", rounding: "down"}}]}}}
        """

    private func load(_ more: String, book: String? = nil) throws -> GatewayConfiguration {
        let folder = try Folder()
        var prices = ""
        if let book {
            try folder.write(Array(book.utf8), to: "prices.json5")
            prices = "prices: \"\(folder.url.path)/prices.json5\","
        }
        return try Scene.load(
            [("routes: [{ verifier: \"main\" }],", "routes: [{ verifier: \"main\" }], \(prices) \(more),")],
            variables: ["SEALING": Scene.sealingKey, "HOOK": Self.secret])
    }

    private func problems(_ budgets: String, book: String? = nil) throws -> [String] {
        do {
            _ = try load("budgets: \(budgets)", book: book)
            return []
        } catch let problems as JSONProblems {
            return problems.problems.map { "\($0.path): \($0.problem)" }
        }
    }

    @Test func `budgets are read as they stand, and none are none`() throws {
        #expect(try Scene.load().budgets.isEmpty)
        let budgets = try load(
            """
            budgets: [{ verifier: "main", client: "app", per: "month", unit: "billable", soft: 1, hard: 2 },
             { per: "day", unit: "attempts", hard: 0 },
             { per: "month", unit: "amount", currency: "JPY", soft: "0.5", hard: "1000" },
             { per: "month", unit: "amount", currency: "USD", hard: "1000" }]
            """, book: Self.book
        ).budgets
        #expect(
            budgets.map { "\($0)" } == [
                "main/app/month/billable", "*/*/day/attempts", "*/*/month/amount:JPY", "*/*/month/amount:USD",
            ])
        #expect(budgets.map(\.soft) == [ExactAmount(1), nil, ExactAmount("0.5"), nil])
        #expect(budgets.map(\.hard) == [ExactAmount(2), .zero, ExactAmount(1000), ExactAmount(1000)])
    }

    @Test(arguments: [
        (#"[{ per: "month", unit: "attempts" }]"#, "needs a \"soft\" or a \"hard\" limit"),
        (#"[{ per: "month", unit: "attempts", soft: 5, hard: 5 }]"#, "budgets[0].soft: must lie below \"hard\""),
        (#"[{ per: "month", unit: "attempts", soft: 9, hard: 5 }]"#, "must lie below \"hard\""),
        (
            #"[{ verifier: "mian", per: "month", unit: "attempts", hard: 5 }]"#,
            "budgets[0].verifier: names no verifier; did you mean \"main\"?"
        ),
        (#"[{ client: "ap", per: "month", unit: "attempts", hard: 5 }]"#, "budgets[0].client: names no client"),
        (#"[{ per: "week", unit: "attempts", hard: 5 }]"#, "per"), (#"[{ per: "day", hard: 5 }]"#, "unit"),
        (#"[{ per: "day", unit: "attempts", hard: -1 }]"#, "hard"),
        (#"[{ per: "day", unit: "attempts", hard: 1.5 }]"#, "hard"),
        (#"[{ per: "day", unit: "attempts", hard: "5" }]"#, "hard"),
        (#"[{ per: "day", unit: "attempts", hard: 5, limit: 6 }]"#, "limit"),
        (
            #"[{ per: "day", unit: "attempts", hard: 5 }, { per: "day", unit: "attempts", soft: 2 }]"#,
            "counts the same as one before it"
        ),
        (#"[{ per: "day", unit: "attempts", currency: "JPY", hard: 5 }]"#, "belongs to the unit \"amount\""),
        (#"[{ per: "day", unit: "amount", hard: "5" }]"#, "budgets[0].currency: is missing"),
        (#"[{ per: "day", unit: "amount", currency: "XYZ", hard: "5" }]"#, "is not the code of a currency"),
        (#"[{ per: "day", unit: "amount", currency: "JPY", hard: 5 }]"#, "hard"),
        (#"[{ per: "day", unit: "amount", currency: "JPY", hard: "-5" }]"#, "must be an amount as a decimal string"),
        (#"[{ per: "day", unit: "amount", currency: "JPY", hard: "5e3" }]"#, "must be an amount as a decimal string"),
        (
            #"[{ per: "day", unit: "amount", currency: "JPY", soft: "5.1", hard: "5" }]"#, "must lie below \"hard\""
        ),
        (
            #"[{ per: "day", unit: "amount", currency: "EUR", hard: "5" }]"#,
            "is a currency that the price book has no prices in"
        ),
        (
            #"[{ verifier: "main", per: "day", unit: "amount", currency: "USD", hard: "5" }]"#,
            "is not the currency that the price book has this verifier's prices in"
        ),
    ])
    func `a budget that limits nothing, or something else than was meant, is refused`(
        budgets: String, problem: String
    ) throws {
        let found = try problems(budgets, book: Self.book)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(problem) == true, "\(found)")
    }

    @Test func `money without a price book is nothing, and a book that cannot be read is told of once`() throws {
        let budget = #"[{ per: "day", unit: "amount", currency: "JPY", hard: "5" }]"#
        #expect(try problems(budget).map { $0.contains("no prices in") } == [true])
        #expect(try problems(budget, book: "{").map { $0.hasPrefix("prices") } == [true])
    }

    @Test func `the operators' webhook is judged as a client's, and stands for itself`() throws {
        let good = #"operators: { webhook: { url: "https://watch.example.jp/b", secrets: [{ env: "HOOK" }] } }"#
        let webhook = try #require(try load(good).operatorWebhook)
        #expect(webhook.url.text == "https://watch.example.jp/b" && webhook.secrets.count == 1)
        #expect(try Scene.load().operatorWebhook == nil)
        let bad = [
            (#"operators: {}"#, "operators.webhook: is missing"),
            (#"operators: { webhook: { url: "http://10.0.0.1/", secrets: [{ env: "HOOK" }] } }"#, "must be https"),
            (#"operators: { webhook: { url: "https://a.example/", secrets: [] } }"#, "must hold 1 to 2 secrets"),
            (
                #"operators: { webhook: { url: "https://a.example/", secrets: [{ env: "HOOK" }], role: "x" } }"#,
                "operators.webhook.role"
            ),
            (good.replacing("} }", with: "}, mail: \"a@example.jp\" }"), "operators.mail"),
        ]
        for (text, problem) in bad {
            do {
                _ = try load(text)
                Issue.record("\(text) was taken")
            } catch let problems as JSONProblems {
                let found = problems.problems.map { "\($0.path): \($0.problem)" }
                #expect(found.count == 1 && found[0].contains(problem), "\(found)")
            }
        }
    }
}
