import Billing
import JSONTree
import SQLiteStore
import Usage
import VerificationCore

/// `sekisho usage report`: a month's usage, from the database.
struct UsageReportCommand {
    private let path: String
    private let month: BillingMonth
    private let groupings: [UsageGrouping]
    private let format: String
    private let hasMark: Bool
    private let book: String?
    private let routes: String?

    init(_ arguments: [String]) throws(UsageProblem) {
        let options = try CommandOptions(
            arguments, single: ["--month", "--by", "--format", "--bom", "--what-if", "--what-if-routes"])
        path = try options.configuration()
        month = try options.month()
        format = try options.format(["table", "csv", "json"])
        hasMark = try options.flag("--bom")
        guard let groupings = UsageGrouping.list(options["--by"] ?? "verifier") else {
            throw UsageProblem("--by must be some of verifier,client,purpose,day, each once")
        }
        self.groupings = groupings
        book = options["--what-if"]
        routes = options["--what-if-routes"]
    }

    func run(at now: Timestamp) async throws -> CommandOutcome {
        let desk = try UsageDesk(configurationAt: path, bookAt: book, at: now)
        defer { Task { await desk.reader.close() } }
        if let routes {
            let supposition = try await SupposedRoutes(configurationAt: routes, month: month, desk: desk, at: now)
                .price(by: groupings)
            return outcome(
                supposition.report, notes: supposition.notes)
        }
        guard let book else {
            let usage = try await desk.reporter.usage(of: month, by: groupings)
            switch format {
            case "csv": return CommandOutcome(output: usage.csv(byteOrderMark: hasMark).text, status: 0)
            case "json": return CommandOutcome(output: usage.json.text + "\n", status: 0)
            default: return CommandOutcome(output: usage.table(), status: 0)
            }
        }
        // The calls are priced anew, also those of a closed month: its statement is not touched.
        let report = try await desk.reporter.report(of: month, by: groupings)
        let unpriced = report.totals.reduce(0) { $0 + $1.counts.unpriced }
        let uncertain = report.totals.reduce(0) { $0 + $1.counts.uncertain }
        return outcome(
            report,
            notes: [
                "what if: priced by \(book), \"\(report.book)\"",
                "not judged: \(unpriced) without a price in that book, \(uncertain) open or uncertain",
            ])
    }

    /// A report that is not what holds says so: in the notes of a table, and on standard error beside the other forms.
    private func outcome(_ report: UsageReport, notes: [String]) -> CommandOutcome {
        let words = notes.joined(separator: "\n")
        switch format {
        case "csv":
            return CommandOutcome(
                output: report.csv(byteOrderMark: hasMark).text, complaints: words, status: 0)
        case "json": return CommandOutcome(output: report.json.text + "\n", complaints: words, status: 0)
        default: return CommandOutcome(output: report.table(notes: notes), status: 0)
        }
    }
}

extension [UInt8] {
    /// The bytes as text, for output.
    var text: String { String(decoding: self, as: UTF8.self) }
}
