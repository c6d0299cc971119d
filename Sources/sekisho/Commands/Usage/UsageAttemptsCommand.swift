import Billing
import JSONTree
import SQLiteStore
import Usage
import VerificationCore

/// `sekisho usage attempts`: the calls behind a month's figures. They are printed page by page.
struct UsageAttemptsCommand {
    /// Calls read and printed at once.
    private static let page = 5000

    private let path: String
    private let month: BillingMonth
    private let verifier: VerifierID?
    private let asLines: Bool
    private let hasMark: Bool

    init(_ arguments: [String]) throws(UsageProblem) {
        let options = try CommandOptions(arguments, single: ["--month", "--verifier", "--format", "--bom"])
        path = try options.configuration()
        month = try options.month()
        verifier = options["--verifier"].map { VerifierID($0) }
        asLines = try options.format(["csv", "jsonl"]) == "jsonl"
        hasMark = try options.flag("--bom")
    }

    func run(at now: Timestamp) async throws -> CommandOutcome {
        let desk = try UsageDesk(configurationAt: path, at: now)
        defer { Task { await desk.reader.close() } }
        var writer = CSVWriter(byteOrderMark: hasMark && !asLines)
        if !asLines { writer.line(CallRow.columns.map { .text($0) }) }
        var place: CallPlace?
        repeat {
            let page = try await desk.reporter.calls(of: month, verifier: verifier, after: place, limit: Self.page)
            for row in page.rows {
                if asLines { print(row.json.text) } else { writer.line(row.cells) }
            }
            print(writer.take().text, terminator: "")
            place = page.next
        } while place != nil
        return CommandOutcome(status: 0)
    }
}
