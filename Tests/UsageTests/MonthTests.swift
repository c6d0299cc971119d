import Billing
import Foundation
import JSONTree
import MonthKit
import SQLiteStore
import Testing
import Usage
import VerificationCore

/// A month of a hundred thousand attempts, held against a second reckoning that shares no line with ours.
@Suite struct MonthTests {
    private static let python = "/usr/bin/python3"
    private static let groupings: [[UsageGrouping]] = (0..<16).map { bits in
        UsageGrouping.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
    }

    @Test(.enabled { isThere(python) })
    func `U01 U03 U05 U07 Q09 a month agrees to the yen with a second reckoning, in every grouping and form`()
        async throws
    {
        let made = try await GeneratedMonth.shared()
        let folder = try TemporaryFolder()
        try await export(made, to: folder)
        let reporter = UsageReporter(made.store, book: made.book)
        let clock = ContinuousClock()
        var slowest = Duration.zero
        for by in Self.groupings {
            let begin = clock.now
            let report = try await reporter.report(of: Traffic.month, by: by)
            slowest = max(slowest, clock.now - begin)
            let name = "report-" + by.map(\.rawValue).joined(separator: "+")
            try folder.write(name + ".csv", report.csv())
            try folder.write(name + ".json", report.json.encoded())
            try folder.write(name + ".txt", report.table().utf8)
        }
        print("MEASURED a report of the month: \(slowest) at most, in a debug build")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/reckon.py").path
        let (status, output) = try run(Self.python, [script, folder.path, Traffic.month.description])
        print(output)
        #expect(status == 0, "\(output)")
        let faults = try #require(output.firstMatch(of: /FAULTS ([0-9]+) of ([0-9]+)/))
        #expect(faults.output.1 == "0")
        #expect((Int(faults.output.2) ?? 0) > 1000)

        // One yen, one attempt, one row: the second reckoning notices each.
        let by = "report-verifier+client"
        let single = try TemporaryFolder()
        for name in ["events.tsv", "book.json", by + ".csv", by + ".json", by + ".txt"] {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: single.file(name))
        }
        let file = single.file(by + ".csv")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = text.components(separatedBy: "\r\n")
        let invoice = try #require(lines.first { $0.hasPrefix("invoice,alpha") })
        let total = try #require(invoice.split(separator: ",", omittingEmptySubsequences: false).dropLast(3).last)
        let more = invoice.replacingOccurrences(of: String(total), with: String((Int(total) ?? 0) + 1))
        let forged = [
            text.replacingOccurrences(of: invoice, with: more),
            lines.enumerated().filter { $0.offset != 3 }.map(\.element).joined(separator: "\r\n"),
        ]
        for change in forged {
            #expect(change != text)
            try single.write(by + ".csv", change.utf8)
            let (status, output) = try run(Self.python, [script, single.path, Traffic.month.description])
            #expect(status == 1)
            #expect(output.contains("DIFFERS \(by).csv"), "\(output)")
        }
    }

    @Test func `U03 the months are the traffic, and the days are the month`() async throws {
        let made = try await GeneratedMonth.shared()
        let reporter = UsageReporter(made.store, book: made.book)
        var attempts: Int64 = 0
        var calls: Int64 = 0
        for month in [Traffic.month.previous, Traffic.month, Traffic.month.next] {
            let report = try await reporter.report(of: month, by: [.day])
            attempts += report.totals.reduce(0) { $0 + $1.counts.attempts }
            #expect(report.rows.allSatisfy { $0.key[0].hasPrefix(month.description) })
            for verifier in try await made.store.usageVerifiers() {
                try await reporter.eachCall(of: verifier, in: month) { _ in calls += 1 }
            }
        }
        let events = Traffic(sessions: GeneratedMonth.sessions).events
        #expect(calls == Int64(events.count { $0.kind == .started }))
        #expect(attempts == Int64(events.count { $0.kind == .started && $0.call == CallName(.submit) }))
        #expect(attempts > Int64(GeneratedMonth.sessions))
        if GeneratedMonth.sessions == 92_000 { #expect(attempts > 100_000) }
        #expect(Set(events.map(\.role)) == Set(AttemptRole.allCases))
    }

    /// The ledger as it is stored, and the book.
    private func export(_ made: GeneratedMonth, to folder: TemporaryFolder) async throws {
        var text = ""
        var sequence: Int64 = 1
        while true {
            let events = try await made.store.ledger(from: sequence, limit: 10_000)
            guard let last = events.last else { break }
            for event in events { text += event.line }
            sequence = last.sequence + 1
        }
        try folder.write("events.tsv", text.utf8)
        try folder.write("book.json", MonthPrices.text.utf8)
    }

    private static func isThere(_ path: String) -> Bool {
        let found = FileManager.default.isExecutableFile(atPath: path)
        if !found { print("SKIPPED: \(path) is absent: nobody else reckons the month") }
        return found
    }
}
