import Billing
import Configuration
import Foundation
import JSONTree
import SQLiteStore
import Usage
import VerificationCore

/// `sekisho usage reconcile`: compares an invoice with the ledger, from the database; with `--accept`, through the
/// running gateway, what was found is written.
struct UsageReconcileCommand {
    private let path: String?
    private let verifier: VerifierID
    private let month: BillingMonth
    private let invoice: String
    private let format: String
    private let all: Bool
    private let accepted: String?
    private let note: String?
    private let options: CommandOptions

    init(_ arguments: [String]) throws(UsageProblem) {
        options = try CommandOptions(
            arguments,
            single: [
                "--verifier", "--month", "--invoice", "--format", "--all", "--accept", "--note", "--gateway",
                "--key-file",
            ])
        guard let verifier = options["--verifier"] else { throw UsageProblem("--verifier is missing") }
        guard let invoice = options["--invoice"] else { throw UsageProblem("--invoice is missing") }
        self.verifier = VerifierID(verifier)
        self.invoice = invoice
        month = try options.month()
        format = try options.format(["text", "csv", "json"])
        all = try options.flag("--all")
        accepted = options["--accept"]
        note = options["--note"]
        guard accepted == nil || note != nil else { throw UsageProblem("--note must say why it is accepted") }
        guard accepted != nil || note == nil else { throw UsageProblem("--note belongs to --accept") }
        if accepted == nil, options["--gateway"] == nil {
            path = try options.configuration()
        } else {
            path = options.words.first
        }
    }

    func run(at now: Timestamp) async throws -> CommandOutcome {
        let file = try read()
        if let accepted, let note { return try await accept(file, accepted, note) }
        if options["--gateway"] != nil { return try await ask(file) }
        let desk = try UsageDesk(configurationAt: path ?? "", at: now)
        defer { Task { await desk.reader.close() } }
        guard let declaration = desk.configuration.verifiers[verifier] else {
            throw UnreadableFile(path: path ?? "", problem: "the configuration has no verifier \(verifier)")
        }
        guard let format = VerifierKinds.invoiceFormat(of: declaration) else {
            throw UnreadableFile(
                path: path ?? "",
                problem: "nothing says what the invoices of \(verifier) look like: `invoice` in its manifest")
        }
        let lines: [InvoiceLine]
        do throws(InvoiceReader.Problems) {
            lines = try InvoiceReader.read(file, as: format)
        } catch {
            let words = error.list.map { "  \($0)" }.joined(separator: "\n")
            throw UnreadableFile(path: invoice, problem: "cannot be read:\n" + words)
        }
        let check = try await InvoiceReconciler(desk.reporter).check(lines, of: verifier, month: month)
        let status: Int32 = check.reconciliation.isClean ? 0 : 1
        switch self.format {
        case "csv": return CommandOutcome(output: check.csv(all: all).text, status: status)
        case "json": return CommandOutcome(output: check.json(all: all).text + "\n", status: status)
        default: return CommandOutcome(output: check.summary() + check.lines(all: all), status: status)
        }
    }

    private func read() throws -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: invoice),
            let data = try? handle.read(upToCount: InvoiceReader.largestFile + 1) ?? Data()
        else { throw UnreadableFile(path: invoice, problem: "cannot be read") }
        return Array(data)
    }

    /// Compares through the running gateway, which writes down that it did.
    private func ask(_ file: [UInt8]) async throws -> CommandOutcome {
        let query = [
            ("verifier", verifier.rawValue), ("month", month.description), ("all", String(all)),
            ("format", format == "csv" ? "csv" : "json"),
        ].map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        let answer = try await GatewayCall(options).answer(
            to: "/v1/usage/reconciliations?" + query, file, type: "text/csv")
        let json = try? JSONNode.parse(answer.body, syntax: .json)
        guard answer.status == 200 else {
            return CommandOutcome(complaints: GatewayCall.words(answer.status, json), status: 1)
        }
        // The header is the first line of a file of differences, and one that agrees has no other.
        let isClean =
            format == "csv"
            ? answer.body.count { $0 == UInt8(ascii: "\n") } <= 1 : Self.isTrue(json?["clean"])
        switch format {
        case "csv", "json":
            return CommandOutcome(
                output: answer.body.text + (format == "json" ? "\n" : ""), status: isClean ? 0 : 1)
        default:
            let totals = (json?["totals"]?.elements ?? []).compactMap { total -> String? in
                guard let name = total["class"]?.string, let count = Self.number(total["count"]), count > 0 else {
                    return nil
                }
                return "  \(name): \(count), difference \(total["difference"]?.string ?? "unknown")\n"
            }
            let words = isClean ? "every line agrees" : "not every line agrees"
            return CommandOutcome(
                output: "invoice of \(verifier) for \(month): \(words)\n" + totals.joined(), status: isClean ? 0 : 1)
        }
    }

    private static func isTrue(_ node: JSONNode?) -> Bool {
        if case .boolean(let value) = node?.kind { value } else { false }
    }

    private static func number(_ node: JSONNode?) -> Int64? {
        if case .number(let number) = node?.kind { number.integer } else { nil }
    }

    private func accept(_ file: [UInt8], _ kinds: String, _ note: String) async throws -> CommandOutcome {
        let query = [("verifier", verifier.rawValue), ("month", month.description), ("accept", kinds), ("note", note)]
            .map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        let (status, json) = try await GatewayCall(options).post(
            "/v1/usage/reconciliations?" + query, file, type: "text/csv")
        guard status == 200, let json else {
            return CommandOutcome(complaints: GatewayCall.words(status, json), status: 1)
        }
        return CommandOutcome(output: "written: \(Self.number(json["written"]) ?? 0)\n", status: 0)
    }
}

extension InvoiceCheck {
    /// The findings, one a line.
    func lines(all: Bool) -> String {
        reconciliation.findings.filter { all || $0.kind != .matched }.map { finding in
            let line = finding.line.map { "line \($0.line)" } ?? "no line"
            let call = finding.call.map { "event \($0.sequence), session \($0.session)" } ?? "no call"
            let difference = finding.difference.map { "\($0)" } ?? "unknown"
            return "\(finding.kind.rawValue): \(line), \(call), difference \(difference)\n"
        }.joined()
    }
}

extension String {
    /// Everything but the unreserved characters (RFC 3986, 2.3) as percent and two digits.
    var percentEncoded: String {
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
