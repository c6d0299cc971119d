import Billing
import JSONTree
import Testing
import VerificationCore

@Suite struct RaterTests {
    private func prices(_ tariffs: String, currency: String = "JPY") throws -> VerifierPrices {
        let book = try PriceBook.read(
            Array("{name: \"b\", verifiers: {v: {currency: \"\(currency)\", tariffs: [\(tariffs)]}}}".utf8))
        return try #require(book.verifiers[VerifierID("v")])
    }

    private let november = BillingMonth("2026-11")!
    private func at(_ day: Int, _ hour: Int = 12) -> Timestamp {
        RFC3339.timestamp("2026-11-\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour):00:00+09:00")!
    }

    private let tax = "tax: {rate: \"0.10\", rounding: \"down\"}"

    @Test func `graduated steps include their edge`() throws {
        var rater = Rater(
            try prices(
                """
                {from: "2026-01-01", prices: {completed_pass: {kind: "graduated",
                 steps: [{up_to: 10, unit: "100"}, {up_to: 20, unit: "50"}, {unit: "0.5"}]}}, \(tax)}
                """), month: november)
        for index in 0..<25 { rater.add(.completedPass, at: at(1), quantity: 1, group: index / 10) }
        let invoice = rater.invoice()
        #expect(invoice.lines.map(\.quantity) == [10, 10, 5])
        #expect(invoice.groups[0]?.description == "1000")
        #expect(invoice.groups[1]?.description == "500")
        #expect(invoice.groups[2]?.description == "2.5")
        #expect(invoice.net == 1502)
        #expect(invoice.tax == 150)
        #expect(invoice.total == 1652)
    }

    @Test func `one event of many crosses edges as many single ones do`() throws {
        let source = try prices(
            """
            {from: "2026-01-01", prices: {status_check: {free: 3, kind: "graduated",
             steps: [{up_to: 2, unit: "7"}, {unit: "3"}]}}, \(tax)}
            """)
        var once = Rater(source, month: november)
        once.add(.statusCheck, at: at(2), quantity: 10, group: 0)
        var often = Rater(source, month: november)
        for _ in 0..<10 { often.add(.statusCheck, at: at(2), quantity: 1, group: 0) }
        #expect(once.invoice().lines == often.invoice().lines)
        // Three free, two at seven, five at three.
        #expect(once.invoice().groups[0]?.description == "29")
    }

    @Test func `volume steps price every event by the month's total`() throws {
        let source = try prices(
            """
            {from: "2026-01-01", prices: {completed_any: {kind: "volume",
             steps: [{up_to: 10, unit: "100"}, {unit: "60"}]}}, \(tax)}
            """)
        for (count, net) in [(10, 1000), (11, 660)] as [(Int, Int64)] {
            var rater = Rater(source, month: november)
            for _ in 0..<count { rater.add(.completedAny, at: at(3), quantity: 1, group: 0) }
            #expect(rater.invoice().net == net)
        }
    }

    @Test func `a price that changes in the month holds from its day on, and the position goes on`() throws {
        let steps = "kind: \"graduated\", steps: [{up_to: 3, unit: \"100\"}, {unit: \"10\"}]"
        let later = "kind: \"graduated\", steps: [{up_to: 3, unit: \"200\"}, {unit: \"20\"}]"
        var rater = Rater(
            try prices(
                """
                {from: "2026-01-01", until: "2026-11-16", prices: {completed_pass: {\(steps)}}, \(tax)},
                {from: "2026-11-16", prices: {completed_pass: {\(later)}}, \(tax)}
                """), month: november)
        for _ in 0..<2 { rater.add(.completedPass, at: at(15, 23), quantity: 1, group: 0) }
        for _ in 0..<2 { rater.add(.completedPass, at: at(16, 0), quantity: 1, group: 1) }
        let invoice = rater.invoice()
        #expect(invoice.groups[0]?.description == "200")
        #expect(invoice.groups[1]?.description == "220")
    }

    @Test func `a minimum is topped up once, the flat fee is added, and neither belongs to a group`() throws {
        var rater = Rater(
            try prices(
                """
                {from: "2026-01-01", prices: {completed_pass: {unit: "80"}}, not_billed: ["completed_fail"],
                 flat_fee: "5000", minimum: "1000", \(tax)}
                """), month: november)
        rater.add(.completedPass, at: at(4), quantity: 1, group: 0)
        rater.add(.completedFail, at: at(4), quantity: 1, group: 0)
        let invoice = rater.invoice()
        #expect(invoice.topUp.description == "920")
        #expect(invoice.net == 6000 && invoice.tax == 600)
        #expect(invoice.groups[0]?.description == "80")
        #expect(invoice.unpricedCount == 0)
        #expect(Rater(rater.prices, month: november).invoice().net == 6000)
    }

    @Test func `no price is unpriced and never zero`() throws {
        var rater = Rater(
            try prices("{from: \"2026-11-10\", prices: {completed_pass: {unit: \"80\"}}, \(tax)}"), month: november)
        rater.add(.completedPass, at: at(9, 23), quantity: 2, group: 4)
        rater.add(.completedPass, at: at(10, 0), quantity: 1, group: 4)
        rater.add(.dataRefetch, at: at(11), quantity: 1, group: 4)
        rater.add(.nonBillable, at: at(11), quantity: 1, group: 4)
        let invoice = rater.invoice()
        #expect(invoice.unpriced[.completedPass]?[4] == 2)
        #expect(invoice.unpriced[.dataRefetch]?[4] == 1)
        #expect(invoice.unpriced[.nonBillable] == nil)
        #expect(invoice.net == 80)
    }

    @Test func `tax is rounded once per rate and not per event`() throws {
        var rater = Rater(
            try prices("{from: \"2026-01-01\", prices: {completed_pass: {unit: \"0.5\"}}, \(tax)}"), month: november)
        for _ in 0..<99 { rater.add(.completedPass, at: at(5), quantity: 1, group: 0) }
        let invoice = rater.invoice()
        // 49.5 yen: 49 before tax, 4 of tax; rounded by the event there would be nothing at all.
        #expect(invoice.parts.map(\.net) == [49])
        #expect(invoice.parts.map(\.tax) == [4])
    }

    @Test func `a price beyond all measure gives a sum at the end of the range, and no crash`() throws {
        var rater = Rater(
            try prices(
                "{from: \"2026-01-01\", prices: {completed_pass: {unit: \"999999999999999\"}}, \(tax)}", currency: "KWD"
            ),
            month: november)
        rater.add(.completedPass, at: at(1), quantity: 1_000_000, group: 0)
        let invoice = rater.invoice()
        #expect(invoice.net == .max && invoice.total == .max && invoice.tax < .max)
        #expect(invoice.groups[0]?.description == "999999999999999000000")
    }

    @Test func `two rates of tax in one month are two parts`() throws {
        var rater = Rater(
            try prices(
                """
                {from: "2026-01-01", until: "2026-11-16", prices: {completed_pass: {unit: "105"}}, \(tax)},
                {from: "2026-11-16", prices: {completed_pass: {unit: "105"}}, tax: {rate: "0.12", rounding: "up"}}
                """), month: november)
        rater.add(.completedPass, at: at(1), quantity: 1, group: 0)
        rater.add(.completedPass, at: at(20), quantity: 1, group: 0)
        #expect(rater.invoice().parts.map(\.tax) == [10, 13])
    }
}
