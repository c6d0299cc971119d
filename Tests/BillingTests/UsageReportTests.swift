import Billing
import JSONTree
import Testing
import VerificationCore

/// A month of calls, priced a second time by arithmetic that shares nothing with the rater.
@Suite struct UsageReportTests {
    private let month = BillingMonth("2026-11")!
    private let names = UsageNames(["alpha", "beta", "in-house", "app", "web", "account", "age"])
    private let book = """
        {name: "2026", verifiers: {
          alpha: {currency: "JPY", month_by: "ended", tariffs: [
            {from: "2026-01-01", until: "2026-11-16", not_billed: ["completed_fail"],
             prices: {completed_pass: {kind: "graduated", steps: [{up_to: 100, unit: "80"}, {unit: "60.5"}]}},
             minimum: "0", flat_fee: "3000", tax: {rate: "0.10", rounding: "down"}},
            {from: "2026-11-16", not_billed: ["completed_fail"],
             prices: {completed_pass: {kind: "graduated", steps: [{up_to: 100, unit: "90"}, {unit: "70.5"}]}},
             tax: {rate: "0.10", rounding: "down"}}]},
          beta: {currency: "USD", month_by: "started", tariffs: [
            {from: "2026-01-01", prices: {evidence_submitted: {unit: "0.125", free: 10}}, minimum: "100",
             tax: {rate: "0", rounding: "half_up"}}]},
          unused: {currency: "JPY", tariffs: [{from: "2026-01-01", prices: {}, flat_fee: "500",
             tax: {rate: "0.10", rounding: "down"}}]}}}
        """

    private func calls() -> [UsageCall] {
        let start = RFC3339.timestamp("2026-10-31T15:00:00Z")!.milliseconds
        return (0..<3000).map { index in
            let verifier = Int32(index % 3)
            let time = start + Int64(index) * 800_000
            var call = UsageCall(
                sequence: Int64(index * 2 + 1), verifier: verifier, client: Int32(3 + index % 2),
                purpose: Int32(5 + index / 7 % 2), role: index % 50 == 0 ? .shadow : .primary, isSubmission: true,
                billableClass: .nonBillable, quantity: 1, startedAt: Timestamp(milliseconds: time))
            guard index % 97 != 0 else { return call }
            call.state = index % 11 == 0 ? .resolved : .ended
            call.endedAt = Timestamp(milliseconds: time + Int64(index % 500))
            call.outcome = index % 5 == 0 ? .rejected : index % 17 == 0 ? .failed : .verified
            call.billableClass =
                switch (verifier, call.outcome) {
                case (1, _): .evidenceSubmitted
                case (_, .verified): .completedPass
                case (_, .rejected): .completedFail
                default: .nonBillable
                }
            return call
        }
    }

    private func read() throws -> PriceBook { try PriceBook.read(Array(book.utf8)) }

    private func report(_ groupings: [UsageGrouping]) throws -> UsageReport {
        var builder = UsageReportBuilder(
            month: month, book: try PriceBook.read(Array(book.utf8)), groupings: groupings, names: names)
        for call in calls() { builder.add(call) }
        return builder.report()
    }

    static let groupings: [[UsageGrouping]] = [
        [], [.verifier], [.client], [.purpose], [.day], [.verifier, .day], [.client, .purpose, .day],
    ]

    @Test(arguments: groupings)
    func `every grouping adds up to the same month`(groupings: [UsageGrouping]) throws {
        let report = try report(groupings)
        // By hand: every hundredth part of a yen as a whole number, position by position.
        let billed = calls().filter { $0.verifier == 0 && $0.outcome == .verified }
        let change = RFC3339.timestamp("2026-11-15T15:00:00Z")!
        var hundredths = 0
        for (position, call) in billed.enumerated() {
            let isLate = call.endedAt! >= change
            hundredths += position < 100 ? (isLate ? 9000 : 8000) : (isLate ? 7050 : 6050)
        }
        let submitted = calls().filter { $0.verifier == 1 && $0.state != .open }.count
        let yen = report.rows.compactMap { $0.amounts[.yen] }.reduce(ExactAmount.zero, +)
        #expect(yen == ExactAmount("\(hundredths / 100).\(hundredths % 100)"))
        let dollar = try #require(Currency("USD"))
        let dollars = report.rows.compactMap { $0.amounts[dollar] }.reduce(ExactAmount.zero, +)
        #expect(dollars == ExactAmount("0.125")! * Int64(submitted - 10))

        let net = hundredths / 100 + 3000
        let sums = report.sums
        #expect(sums.map(\.currency.code) == ["JPY", "USD"])
        #expect(sums[0].net == Int64(net) + 500)
        #expect(sums[0].tax == Int64(net / 10) + 50)
        // An eighth of a dollar each, to the cent, and a hundred dollars at least.
        let cents = (Int64(submitted - 10) * 125 + 5) / 10
        #expect(sums[1].net == max(cents, 10_000) && sums[1].tax == 0)
        #expect(report.unpricedVerifiers == [VerifierID("in-house")])
        let counts = report.rows.reduce(UsageCounts()) { $0 + $1.counts }
        #expect(counts.attempts == 3000)
        #expect(counts.uncertain == Int64(calls().filter { $0.state == .open }.count))
        #expect(counts.verified == Int64(calls().filter { $0.outcome == .verified }.count))
        #expect(counts.unpriced == Int64(calls().filter { $0.verifier == 2 && $0.billableClass != .nonBillable }.count))
        #expect(counts.attempts == counts.verified + counts.rejected + counts.failed + counts.uncertain)
    }

    @Test func `a shadow is shown apart, and so is each day of Tokyo`() throws {
        let report = try report([.day])
        #expect(report.totals.map(\.role) == [.primary, .shadow])
        #expect(Set(report.rows.map { $0.key[0] }).count == 28)
        #expect(report.rows.first?.key == ["2026-11-01"])
        #expect(report.rows.allSatisfy { $0.key[0].hasPrefix("2026-11-") })
    }

    @Test func `latencies are values that occurred, and a resolved call has none`() {
        var latencies = Latencies()
        for value in stride(from: 100, to: 0, by: -1) { latencies.add(Int64(value)) }
        #expect(latencies.percentiles([50, 95, 100, 1]) == [50, 95, 100, 1])
        var one = Latencies()
        one.add(-5)
        #expect(one.percentiles([50, 95]) == [0, 0])
        #expect(Latencies().percentiles([50]) == nil)
    }

    @Test func `what a verified session cost is rounded once, and is nothing where none was verified`() throws {
        let report = try report([.verifier])
        let beta = try #require(report.rows.first { $0.key == ["beta"] && $0.role == .primary })
        let dollar = try #require(Currency("USD"))
        #expect(beta.costPerVerified(in: dollar) != nil)
        #expect(beta.costPerVerified(in: .yen) == nil)
    }

    @Test func `table, CSV and JSON say the same`() throws {
        let report = try report([.verifier, .client])
        var reader = CSVReader(report.csv())
        let head = try #require(try reader.next())
        var rows: [[String: String]] = []
        while let cells = try reader.next() {
            rows.append(Dictionary(zip(head, cells), uniquingKeysWith: { first, _ in first }))
        }
        let sums = rows.filter { $0["kind"] == "sum" }
        #expect(sums.map { $0["currency"] } == ["JPY", "USD"])
        #expect(sums.map { $0["total"] } == report.sums.map { $0.currency.text(minorUnits: $0.total) })
        // What the groups and the terms add up to is what the invoices ask for, before each of them is rounded.
        let exact = rows.filter { ["usage", "terms"].contains($0["kind"]) && $0["currency"] == "JPY" }
            .compactMap { $0["amount"].flatMap { ExactAmount($0) } }.reduce(ExactAmount.zero, +)
        #expect(exact.minorUnits(of: .yen, .down) == report.sums[0].net)
        #expect(rows.filter { $0["kind"] == "usage" }.compactMap { Int64($0["attempts"] ?? "") }.reduce(0, +) == 3000)

        let table = report.table()
        for sum in report.sums { #expect(table.contains(sum.currency.text(minorUnits: sum.total))) }
        #expect(table.contains("without any price: in-house"))
        let json = report.json.text
        for sum in report.sums { #expect(json.contains("\"total\":\"\(sum.currency.text(minorUnits: sum.total))\"")) }
        #expect(!json.contains(".0\"") && !json.contains("e+"))
    }

    @Test func `a name that looks like a formula is harmless in the file and whole elsewhere`() throws {
        let names = UsageNames(["alpha", "=cmd", "p"])
        var builder = UsageReportBuilder(
            month: month, book: try PriceBook.read(Array(book.utf8)), groupings: [.client], names: names)
        builder.add(
            UsageCall(
                sequence: 1, verifier: 0, client: 1, purpose: 2, role: .primary, isSubmission: true,
                billableClass: .completedPass, quantity: 1, startedAt: RFC3339.timestamp("2026-11-02T00:00:00Z")!))
        let report = builder.report()
        #expect(String(decoding: report.csv(), as: UTF8.self).contains("usage,'=cmd,2026-11,primary,1,"))
        #expect(report.rows.first?.key == ["=cmd"])
        // It is still open: in no sum.
        #expect(report.rows.first?.counts.uncertain == 1 && report.rows.first?.counts.billable == 0)
    }

    @Test func `a statement is the same bytes for the same month, and other bytes for another`() throws {
        let draft = LedgerDraft(
            kind: .ended, attempt: AttemptID("a"), role: .primary, session: SessionID("s"),
            verifier: VerifierID("alpha"), client: ClientID("app"), purpose: PurposeID("account"),
            at: Timestamp(seconds: 1), billableClass: .completedPass, configurationVersion: "v")
        func bytes(_ sequence: Int64, by groupings: [UsageGrouping]) throws -> [UInt8] {
            Statement(
                book: try read(), report: try report(groupings), detail: try report(UsageReport.everyGrouping),
                adjustments: [],
                head: LedgerEvent(sequence: sequence, draft: draft, previousHash: [], hash: [1, 2]),
                closedAt: Timestamp(seconds: 1_796_000_000), actor: "finance", unsettled: [7]
            ).encoded()
        }
        #expect(try bytes(9, by: [.verifier, .day]) == bytes(9, by: [.verifier, .day]))
        #expect(try bytes(9, by: [.verifier]) != bytes(10, by: [.verifier]))
        let text = String(decoding: try bytes(9, by: [.verifier]), as: UTF8.self)
        #expect(text.hasPrefix("{\"layout\":\"sekisho-statement-2\",\"prices\":{\"name\":"))
        #expect(text.contains(",\"month\":\"2026-11\",\"closed_at\":"))
    }

    @Test(arguments: groupings)
    func `a frozen month gives every grouping to the last digit, and its own bytes again`(
        _ groupings: [UsageGrouping]
    ) throws {
        let bytes = Statement(
            book: try read(), report: try report([.verifier]), detail: try report(UsageReport.everyGrouping),
            adjustments: [], head: nil,
            closedAt: Timestamp(seconds: 1_796_000_000), actor: "finance", unsettled: [7, 9]
        ).encoded()
        let frozen = try #require(FrozenStatement(bytes))
        #expect(frozen.unsettled == 2 && frozen.actor == "finance")
        #expect(frozen.report.json.encoded() == (try report([.verifier])).json.encoded())
        let (live, kept) = (try report(groupings), frozen.report(by: groupings))
        #expect(kept.rows.map(\.key) == live.rows.map(\.key) && kept.rows.map(\.role) == live.rows.map(\.role))
        #expect(kept.rows.map(\.counts) == live.rows.map(\.counts))
        #expect(kept.rows.map(\.amounts) == live.rows.map(\.amounts))
        #expect(kept.sums.map(\.total) == live.sums.map(\.total))
        if groupings.contains(.day) { #expect(kept.rows.allSatisfy { $0.latency50 == nil }) }
        // The prices that it was closed by come with it, and are read without the rest.
        #expect(FrozenStatement.prices(of: bytes) == (try read()))
        #expect(FrozenStatement.prices(of: Array(bytes.prefix(60))) == nil)
        // Statements of the first layout have none.
        let first = Array("{\"layout\":\"sekisho-statement-1\",\"month\":\"2026-11\"".utf8)
        #expect(Statement.hasPrices(bytes) && !Statement.hasPrices(first) && FrozenStatement.prices(of: first) == nil)
        // Nothing is read of what is not a statement, or of one that lost a part.
        #expect(FrozenStatement(Array(bytes.dropLast())) == nil)
        #expect(FrozenStatement(Array("{}".utf8)) == nil)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(FrozenStatement(Array(text.replacing("sekisho-statement-2", with: "sekisho-statement-9").utf8)) == nil)
        #expect(FrozenStatement(Array(text.replacing("\"role\":\"primary\"", with: "\"role\":\"x\"").utf8)) == nil)
    }
}
