import Billing
import JSONTree
import Testing
import VerificationCore

@Suite struct PriceBookTests {
    private let tax = "tax: {rate: \"0.10\", rounding: \"down\"}"

    private func problems(_ tariffs: String, currency: String = "JPY", extra: String = "") -> [String] {
        let text = "{name: \"b\", verifiers: {v: {currency: \"\(currency)\", tariffs: [\(tariffs)]\(extra)}}}"
        do {
            _ = try PriceBook.read(Array(text.utf8))
            return []
        } catch {
            return error.problems.map { "\($0.path): \($0.problem)" }
        }
    }

    private func tariff(_ from: String, _ until: String? = nil, prices: String = "completed_pass: {unit: \"1\"}")
        -> String
    {
        let end = until.map { ", until: \"\($0)\"" } ?? ""
        return "{from: \"\(from)\"\(end), prices: {\(prices)}, \(tax)}"
    }

    @Test func `a sound book has no problems`() {
        #expect(problems(tariff("2026-01-01", "2026-04-01") + "," + tariff("2026-04-01")) == [])
    }

    @Test func `a gap, an overlap and an open end in the middle are told apart`() {
        let gap = problems(tariff("2026-01-01", "2026-03-31") + "," + tariff("2026-04-01"))
        #expect(gap.count == 1 && gap[0].contains("gap") && gap[0].contains("tariffs[1].from"))
        let overlap = problems(tariff("2026-01-01", "2026-04-02") + "," + tariff("2026-04-01"))
        #expect(overlap.count == 1 && overlap[0].contains("overlaps"))
        let open = problems(tariff("2026-01-01") + "," + tariff("2026-04-01"))
        #expect(open.count == 1 && open[0].contains("no end"))
    }

    @Test func `a number, an exponent and a negative price are refused`() {
        for unit in ["80", "\"8e1\"", "\"-1\"", "0.5", "null", "\"\"", "\"1.0000001\""] {
            let found = problems(tariff("2026-01-01", prices: "completed_pass: {unit: \(unit)}"))
            #expect(found.count == 1, "\(unit): \(found)")
            #expect(found.first?.contains("unit") == true)
        }
    }

    @Test func `steps must rise and end open`() {
        func steps(_ text: String) -> [String] {
            problems(tariff("2026-01-01", prices: "completed_pass: {kind: \"graduated\", steps: [\(text)]}"))
        }
        #expect(steps("{up_to: 10, unit: \"1\"}, {unit: \"2\"}") == [])
        #expect(steps("{up_to: 10, unit: \"1\"}, {up_to: 10, unit: \"1\"}, {unit: \"2\"}").count == 1)
        #expect(steps("{up_to: 10, unit: \"1\"}").count == 1)
        #expect(steps("{unit: \"1\"}, {unit: \"2\"}").count == 1)
        #expect(steps("").count == 1)
    }

    @Test func `classes, zones, currencies and keys that nobody knows are named`() {
        #expect(problems(tariff("2026-01-01", prices: "completed_pas: {unit: \"1\"}"))[0].contains("completed_pass"))
        #expect(problems(tariff("2026-01-01", prices: "non_billable: {unit: \"1\"}")).count == 1)
        #expect(problems(tariff("2026-01-01"), currency: "YEN").count == 1)
        #expect(problems(tariff("2026-01-01"), extra: ", time_zone: \"JST\"").count == 1)
        #expect(problems(tariff("2026-01-01"), extra: ", month_buy: \"ended\"")[0].contains("month_by"))
        #expect(problems(tariff("2026-02-30")).count == 1)
        #expect(problems("").count == 1)
    }

    @Test func `a class with a price is not unbilled as well`() {
        let text = """
            {from: "2026-01-01", prices: {completed_pass: {unit: "1"}}, not_billed: ["completed_pass"], \(tax)}
            """
        #expect(problems(text).count == 1)
    }
}
