import Billing
import Foundation
import MemoryStore
import Testing
import Usage
import VerificationCore

/// The edges of a month, as hosts in other zones see them: the zone of a process is its environment's, so each is a
/// process of its own.
@Suite struct HostZoneTests {
    private static let zones = ["Asia/Tokyo", "America/Los_Angeles", "UTC", "Pacific/Kiritimati"]

    private func probe() throws -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let folders = [own, URL(fileURLWithPath: FileManager.default.currentDirectoryPath + "/.build/debug")]
        return try #require(
            folders.map { $0.appendingPathComponent("usage-probe").path }
                .first { FileManager.default.isExecutableFile(atPath: $0) })
    }

    @Test func `U01 U02 U03 the first of a month begins at midnight in Tokyo, wherever the host stands`() throws {
        let edges: [(instant: String, day: String, month: String)] = [
            ("2026-10-31T23:59:59.999+09:00", "2026-10-31", "2026-10"),
            ("2026-11-01T00:00:00+09:00", "2026-11-01", "2026-11"),
            ("2026-11-01T08:59:00+09:00", "2026-11-01", "2026-11"),
            ("2026-11-01T08:59:59.999+09:00", "2026-11-01", "2026-11"),
            ("2026-11-01T09:00:00+09:00", "2026-11-01", "2026-11"),
            ("2026-11-30T23:59:59.999+09:00", "2026-11-30", "2026-11"),
            ("2026-12-01T00:00:00+09:00", "2026-12-01", "2026-12"),
            ("2028-02-29T00:00:00+09:00", "2028-02-29", "2028-02"),
            ("2028-02-29T23:59:59.999+09:00", "2028-02-29", "2028-02"),
            ("2028-03-01T00:00:00+09:00", "2028-03-01", "2028-03"),
            ("2027-02-28T23:59:59.999+09:00", "2027-02-28", "2027-02"),
            ("2027-03-01T00:00:00+09:00", "2027-03-01", "2027-03"),
            ("2100-03-01T00:00:00+09:00", "2100-03-01", "2100-03"),
        ]
        let instants = try edges.map { try #require(RFC3339.timestamp($0.instant)).milliseconds }
        var answers: Set<String> = []
        for zone in Self.zones {
            let (status, output) = try run(
                try probe(), ["Asia/Tokyo"] + instants.map { String($0) }, environment: ["TZ": zone])
            #expect(status == 0, "\(output)")
            answers.insert(output)
            let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(lines.count == edges.count)
            for (line, (edge, instant)) in zip(lines, zip(edges, instants)) {
                #expect(line[0] == edge.day, "\(zone): \(edge.instant)")
                #expect(line[1] == edge.month, "\(zone): \(edge.instant)")
                let (from, to) = (try #require(Int64(line[2])), try #require(Int64(line[3])))
                #expect((from..<to).contains(instant))
                #expect((to - from) % 86_400_000 == 0)
            }
        }
        #expect(answers.count == 1)
        // The hosts do differ.
        let dates = try Set(
            Self.zones.map { try run("/bin/date", ["-d", "@1793458799", "+%F %H"], environment: ["TZ": $0]).1 })
        #expect(dates.count == Self.zones.count)
    }

    @Test func `U03 a call at the edge is in one month, in the store and in every report`() async throws {
        for rule in ["started", "ended", "provider"] {
            let bench = try Bench(monthBy: rule)
            let instants = [
                "2026-10-31T14:59:59.999Z", "2026-10-31T15:00:00.000Z", "2026-10-31T23:59:00.000Z",
                "2026-11-01T00:00:00.000Z", "2026-11-30T14:59:59.999Z", "2026-11-30T15:00:00.000Z",
                "2026-11-30T23:59:59.999Z",
            ]
            for (number, instant) in instants.enumerated() { try await bench.call(number, at: instant) }
            var attempts: [Int64] = []
            for month in ["2026-10", "2026-11", "2026-12"] {
                let report = try await UsageReporter(bench.store, book: bench.book).report(
                    of: try #require(BillingMonth(month)), by: [.day])
                attempts.append(report.totals.reduce(0) { $0 + $1.counts.attempts })
                let days = report.rows.reduce(0) { $0 + $1.counts.attempts }
                #expect(days == attempts.last)
            }
            #expect(attempts == [1, 4, 2])
        }
    }
}
