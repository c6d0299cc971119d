import Foundation
import Testing

/// The sandbox's own invoices beside the ledger of the gateway that called it.
@Suite(.serialized) struct InvoiceTests {
    private func reconcile(
        _ scene: ProviderScene, _ invoice: String, _ options: [String] = []
    ) throws -> (status: Int32, output: String) {
        try Data(invoice.utf8).write(to: scene.gateway.folder.appendingPathComponent("invoice.csv"))
        return try scene.gateway.run(
            "sekisho",
            [
                "usage", "reconcile", "--verifier", scene.provider, "--month", RunningGateway.month, "--invoice",
                "invoice.csv",
            ]
                + options + ["config.json5"])
    }

    @Test(arguments: ["alpha", "beta", "gamma"])
    func `a provider's invoice and the ledger agree line by line`(_ provider: String) async throws {
        let scene = try await ProviderScene(provider)
        for options in [[], ["--fault", "value_changed"], []] {
            let answer = try await scene.submitAndWait(options)
            try #require(answer.sessionStatus == (options.isEmpty ? "verified" : "rejected"), "\(scene.log)")
        }
        let invoice = try await scene.sandbox.control("GET", "invoice?provider=\(provider)")
        let lines = invoice.split(separator: "\r\n").count - 1
        let clean = try reconcile(scene, invoice)
        #expect(clean.status == 0, "\(clean.output)\(invoice)")
        #expect(clean.output.contains("\(lines) lines, every one agrees"))
        // The report asks for what the invoice adds up to.
        let sum = invoice.split(separator: "\r\n").dropFirst().compactMap { line -> Decimal? in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            return cells.count > 3 ? Decimal(string: String(cells[3])) : nil
        }.reduce(0, +)
        let report = try scene.gateway.run(
            "sekisho", ["usage", "report", "--month", RunningGateway.month, "--format", "csv", "config.json5"])
        #expect(report.status == 0)
        #expect(
            report.output.contains("usage,\(provider),\(RunningGateway.month),primary,3,2,1,0,0,"), "\(report.output)")
        #expect(report.output.contains(",JPY,\(sum),"), "\(sum) \(report.output)")
        try await scene.end()
    }

    @Test func `an invoice with one fault of each kind gives exactly those`() async throws {
        let scene = try await ProviderScene("alpha")
        for _ in 0..<4 { try #require(try await scene.submitAndWait().sessionStatus == "verified") }
        // The fifth is charged, and its answer is lost.
        try await scene.sandbox.order("alpha", "submit", #""fault":"reset_after_reading","charged":true,"times":20"#)
        try await scene.sandbox.order("alpha", "fetch", #""fault":"unavailable","times":1000"#)
        _ = try await scene.submit()
        let invoice = try await scene.sandbox.control("GET", "invoice?provider=alpha")
        var lines = invoice.split(separator: "\r\n").map(String.init)
        let charged = lines.count
        try #require(charged >= 6, "\(invoice)")
        let lost = lines.count - 1
        lines[1] = lines[1].replacingOccurrences(of: ",150,", with: ",151,")
        lines[2] = lines[3]
        lines.append(
            lines[3].replacingOccurrences(of: lines[3].prefix { $0 != "," }, with: "unknown").replacingOccurrences(
                of: lines[3].split(separator: ",")[4], with: "nobody"))
        let faulty = lines.joined(separator: "\r\n") + "\r\n"
        let wrong = try reconcile(scene, faulty, ["--format", "csv"])
        #expect(wrong.status == 1)
        let found = wrong.output.split(separator: "\r\n").dropFirst().map { String($0.prefix { $0 != "," }) }
        #expect(
            found.sorted()
                == ["amount_differs", "duplicate_at_theirs", "ours_only", "theirs_only", "uncertain_resolved"],
            "\(wrong.output) \(lost)")
        // Nothing has changed by looking, and accepting writes what was named.
        let before = try scene.gateway.sql("SELECT count(*) FROM ledger")
        try Data("demo-finance-key\n".utf8).write(to: scene.gateway.folder.appendingPathComponent("finance.key"))
        let base = "http://127.0.0.1:\(scene.gateway.port)"
        // The gateway compares as the command does, and writes down that it did; the command alone writes nothing.
        let compared = "SELECT outcome || ' ' || count FROM audit WHERE action = 'invoice_reconciled'"
        #expect(try scene.gateway.sql(compared).isEmpty)
        let asked = ["--gateway", base, "--key-file", "finance.key"]
        let through = try reconcile(scene, faulty, ["--format", "csv"] + asked)
        #expect(through.status == 1 && through.output == wrong.output, "\(through.output)")
        #expect(try scene.gateway.sql(compared) == "differs \(lines.count - 1)")
        let words = try reconcile(scene, faulty, asked)
        #expect(words.status == 1 && words.output.contains("  theirs_only: 1, difference "), "\(words.output)")
        #expect(words.output.contains("not every line agrees"))
        let accept = [
            "--accept", "theirs_only,uncertain_resolved", "--note", "agreed", "--gateway", base, "--key-file",
            "finance.key",
        ]
        let accepted = try reconcile(scene, faulty, accept)
        #expect(accepted.status == 0 && accepted.output.contains("written: 2\n"), "\(accepted.output)")
        let again = try reconcile(scene, faulty, accept)
        #expect(again.output.contains("written: 0\n"), "\(again.output)")
        #expect(try scene.gateway.sql("SELECT count(*) FROM ledger") == String((Int(before) ?? 0) + 2))
        #expect(try scene.gateway.run("sekisho", ["ledger", "verify", "var/demo/sekisho.sqlite3"]).status == 0)
        // The month has not ended: it is not closed.
        let close = try scene.gateway.run(
            "sekisho",
            ["usage", "close", "--month", RunningGateway.month, "--gateway", base, "--key-file", "finance.key"])
        #expect(close.status == 1)
        try await scene.end()
    }
}
