import Foundation
import JSONTree
import Testing
import VerificationCore

@testable import sekisho

/// `sekisho plan`: what moves, what stays, what would break, and the exit status that a script goes by.
@Suite struct PlanTests {
    private static let main = "[{ verifier: \"main\" }]"

    @Test func `a tenth that moves is told as a tenth, and is safe`() async throws {
        let desk = try Desk()
        let verifiers = [desk.verifier("main"), desk.verifier("next", key: "second.key", merchant: "next.example")]
        try await desk.run(
            try desk.configuration("old.json5", verifiers: verifiers, routes: Self.main), open: ["main": 3])
        let new = try desk.configuration(
            "new.json5", verifiers: verifiers,
            routes: "[{ name: \"trial\", verifiers: [{ id: \"main\", weight: 90 }, { id: \"next\", weight: 10 }] }]")
        let outcome = await desk.plan(new)
        #expect(outcome.status == 0, "\(outcome.complaints)\(outcome.output)")
        #expect(
            outcome.output.contains("  kyc, org.iso.23220.1.jp.mnc, app: main 100% → main 90%, next 10%\n"),
            "\(outcome.output)")
        #expect(outcome.output.contains("  main: 3 open sessions, which keep it\n"))
        #expect(outcome.output.hasSuffix("safe: no session loses its verifier, and every session finds one\n"))
        let json = try JSONNode.parse(Array(await desk.plan(new, "--format", "json").output.utf8), syntax: .json)
        let shares = try #require(json["moves"]?.elements?.first?["after"]?["shares"]?.elements)
        #expect(shares.map { $0["verifier"]?.string } == ["main", "next"])
        #expect(
            shares.map { $0["part"]?.kind.text } == ["9", "1"] && shares.map { $0["whole"]?.kind.text } == ["10", "10"])
        #expect(json["open_sessions"]?.elements?.first?["fate"]?.string == "stays")
        #expect(json["dangers"]?.elements?.isEmpty == true)
    }

    @Test func `budgets that come, go or move are told with their limits, and change nothing that is safe`()
        async throws
    {
        let desk = try Desk()
        let verifiers = [desk.verifier("main")]
        func configuration(_ name: String, _ budgets: String) throws -> String {
            try desk.configuration(name, verifiers: verifiers, routes: Self.main + ", budgets: [\(budgets)]")
        }
        try await desk.run(
            try configuration(
                "old.json5",
                """
                { verifier: "main", per: "month", unit: "attempts", soft: 5, hard: 9 },
                { per: "day", unit: "billable", hard: 7 }, { client: "app", per: "day", unit: "attempts", soft: 1 }
                """))
        let new = try configuration(
            "new.json5",
            """
            { verifier: "main", per: "month", unit: "attempts", hard: 12 },
            { per: "month", unit: "billable", soft: 3, hard: 4 }, { client: "app", per: "day", unit: "attempts", soft: 1 }
            """)
        let outcome = await desk.plan(new)
        #expect(outcome.status == 0, "\(outcome.complaints)\(outcome.output)")
        #expect(
            outcome.output.contains(
                """
                budgets:
                  main/*/month/attempts: soft 5 → none, hard 9 → 12
                  */*/month/billable: new, soft 3, hard 4
                  */*/day/billable: gone, it had hard 7

                """), "\(outcome.output)")
        #expect(!outcome.output.contains("*/app/day/attempts"))
        let json = try JSONNode.parse(Array(await desk.plan(new, "--format", "json").output.utf8), syntax: .json)
        let changes = try #require(json["budgets"]?.elements)
        #expect(changes.count == 3 && changes[0]["before"]?["hard"]?.string == "9")
        #expect(changes[0]["after"]?["hard"]?.string == "12" && changes[2]["after"]?.string == nil)
    }

    @Test func `nothing that changes is nothing`() async throws {
        let desk = try Desk()
        let path = try desk.configuration("a.json5", verifiers: [desk.verifier("main")], routes: Self.main)
        try await desk.run(path)
        let outcome = await desk.plan(path)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("what moves: nothing\n") && outcome.output.contains("open sessions: none\n"))
        #expect(!outcome.output.contains("restart") && !outcome.output.contains("budgets"))
    }

    @Test func `a verifier that goes while sessions hold to it is not safe, and safe once they ended`() async throws {
        let desk = try Desk()
        let both = [desk.verifier("main"), desk.verifier("next", key: "second.key", merchant: "next.example")]
        let old = try desk.configuration("old.json5", verifiers: both, routes: "[{ verifier: \"next\" }]")
        let new = try desk.configuration("new.json5", verifiers: [both[0]], routes: Self.main)
        try await desk.run(old, open: ["next": 2])
        let outcome = await desk.plan(new)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("2 open sessions of next would fail (gone): let them end first"))
        #expect(!outcome.output.contains("safe: "))
        let without = try Desk()
        let others = [without.verifier("main"), without.verifier("next", key: "second.key", merchant: "next.example")]
        try await without.run(
            try without.configuration("old.json5", verifiers: others, routes: "[{ verifier: \"next\" }]"))
        let later = await without.plan(
            try without.configuration("new.json5", verifiers: [others[0]], routes: Self.main))
        #expect(later.status == 0)
        #expect(later.output.contains("app: next 100% → main 100%"))
    }

    static let changes: [(String, String)] = [
        ("merchant: other", "wallet_changed"), ("key: second", "wallet_changed"), ("certification", "changed"),
    ]

    @Test(arguments: changes) func `a verifier that changes under open sessions is not safe`(
        change: String, fate: String
    ) async throws {
        let desk = try Desk()
        let certified = desk.verifier("main", more: Self.certification(until: "2028-01-01T00:00:00Z"))
        try await desk.run(
            try desk.configuration(
                "old.json5", verifiers: [change == "certification" ? certified : desk.verifier("main")],
                routes: Self.main),
            open: ["main": 1])
        let verifier =
            switch change {
            case "merchant: other": desk.verifier("main", merchant: "other.example")
            case "key: second": desk.verifier("main", key: "second.key")
            default: desk.verifier("main")
            }
        let outcome = await desk.plan(try desk.configuration("new.json5", verifiers: [verifier], routes: Self.main))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("1 open session of main would fail (\(fate))"), "\(outcome.output)")
    }

    @Test func `a certification that is gained, and one that is renewed, keep their sessions`() async throws {
        let desk = try Desk()
        let first = desk.verifier("main", more: Self.certification(until: "2027-01-01T00:00:00Z"))
        let second = desk.verifier("main", more: Self.certification(until: "2028-01-01T00:00:00Z"))
        let ended = desk.verifier("main", more: Self.certification(until: "2026-11-20T03:00:00Z"))
        for (old, new, status) in [(desk.verifier("main"), first, 0), (first, second, 0), (first, ended, 1)] {
            try await desk.run(
                try desk.configuration("old.json5", verifiers: [old], routes: Self.main), open: ["main": 1])
            let outcome = await desk.plan(try desk.configuration("new.json5", verifiers: [new], routes: Self.main))
            #expect(outcome.status == Int32(status), "\(outcome.output)\(outcome.complaints)")
        }
    }

    @Test func `a key that is rotated in beside the old one is safe`() async throws {
        let desk = try Desk()
        let old = desk.verifier("main")
        try await desk.run(
            try desk.configuration("old.json5", verifiers: [old], routes: Self.main), open: ["main": 1])
        let two = old.replacingOccurrences(
            of: "keys: [", with: "keys: [{ key: { file: \"\(desk.path("second.key"))\" } }, ")
        let outcome = await desk.plan(try desk.configuration("new.json5", verifiers: [two], routes: Self.main))
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
    }

    @Test func `a sealing key that is still in use and gone is not safe`() async throws {
        let desk = try Desk()
        let verifiers = [desk.verifier("main")]
        try await desk.run(
            try desk.configuration("old.json5", verifiers: verifiers, routes: Self.main), open: ["main": 1])
        let outcome = await desk.plan(
            try desk.configuration("new.json5", verifiers: verifiers, routes: Self.main, sealing: "sealing-next"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("the sealing key sealing is gone, and sessions are sealed with it"))
    }

    @Test func `sessions that would find nobody are not safe`() async throws {
        let desk = try Desk()
        let certified = desk.verifier("main", more: Self.certification(until: "2028-01-01T00:00:00Z"))
        try await desk.run(
            try desk.configuration("old.json5", verifiers: [certified], routes: Self.main))
        // The trust anchors vouch for this document alone, so nobody verifies the other.
        let narrow = certified.replacingOccurrences(
            of: "root.der\" }", with: "root.der\", document_types: [\"org.iso.18013.5.1.mDL\"] }")
        let outcome = await desk.plan(
            try desk.configuration("new.json5", verifiers: [narrow], routes: Self.main))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("sessions of app for kyc with org.iso.23220.1.jp.mnc would find no verifier"))
        #expect(outcome.output.contains("app: main 100% → nobody"))
        // What is so already is no danger of the new one.
        try await desk.run(desk.path("new.json5"))
        #expect(await desk.plan(desk.path("new.json5")).status == 0)
    }

    @Test func `what needs a restart, what ends soon and what holds at times only is told`() async throws {
        let desk = try Desk()
        try await desk.run(
            try desk.configuration("old.json5", verifiers: [desk.verifier("main")], routes: Self.main))
        let soon = desk.verifier("main", more: Self.certification(until: "2026-12-10T03:00:00Z"))
        let ended = desk.verifier(
            "next", key: "second.key", merchant: "n", more: Self.certification(until: "2026-11-20T03:00:00Z"))
        let new = try desk.configuration(
            "new.json5", verifiers: [soon, ended],
            routes:
                "[{ name: \"night\", window: { hours: { from: \"22:00\", until: \"06:00\", time_zone: \"Asia/Tokyo\" } }, verifier: \"next\" }, { verifier: \"main\" }]",
            environment: "development", port: 8481)
        let outcome = await desk.plan(new)
        // The reload itself refuses that.
        #expect(outcome.status == 1, "\(outcome.complaints)")
        #expect(outcome.output.contains("takes a restart:\n  environment\n  http\n"))
        #expect(outcome.output.contains("a reload is refused: environment, http cannot change without a restart"))
        #expect(outcome.output.contains("  main: ends in 10 days\n"))
        #expect(outcome.output.contains("  next: ended 10 days ago;"))
        // It is noon in Tokyo.
        #expect(outcome.output.contains("  night: daily 22:00 to 06:00 Asia/Tokyo; it does not hold now\n"))
    }

    @Test func `a bad configuration is told with every problem and status 2`() async throws {
        let desk = try Desk()
        let path = try desk.configuration("old.json5", verifiers: [desk.verifier("main")], routes: Self.main)
        try await desk.run(path)
        let bad = try desk.configuration(
            "new.json5", verifiers: [desk.verifier("main", key: "none.key")], routes: "[{ verifier: \"mian\" }]")
        let outcome = await desk.plan(bad)
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.complaints.contains("the file with the secret does not exist"))
        #expect(outcome.complaints.contains("names no verifier; did you mean \"main\"?"))
        let json = await desk.plan(bad, "--format=json")
        #expect(json.status == 2)
        let tree = try JSONNode.parse(Array(json.output.utf8), syntax: .json)
        #expect(tree["problems"]?.elements?.count == 2)
        #expect(await desk.plan(desk.path("nothing.json5")).status == 2)
        #expect(await desk.plan(path, "--agianst", "x").status == 64)
        #expect(await desk.plan().status == 64)
    }

    @Test func `a fallback that cannot judge the same evidence is a bad configuration, for check too`() async throws {
        let desk = try Desk()
        let verifiers = [desk.verifier("main"), desk.verifier("next", key: "second.key", merchant: "next.example")]
        let path = try desk.configuration(
            "new.json5", verifiers: verifiers, routes: "[{ verifier: \"main\", fallback: [\"next\"] }]")
        let outcome = await desk.plan(path)
        #expect(outcome.status == 2)
        #expect(
            outcome.complaints.contains("routes[0].fallback[0]") && outcome.complaints.contains("cannot be a fallback"))
        #expect(await CheckCommand.run([path]) == 1)
        let twin = try desk.configuration(
            "twin.json5", verifiers: [desk.verifier("main"), desk.verifier("next")],
            routes: "[{ verifier: \"main\", fallback: [\"next\"] }]")
        #expect(await CheckCommand.run([twin]) == 0)
    }

    @Test func `it compares with a file whose secrets are gone, and with nothing`() async throws {
        let desk = try Desk()
        let old = try desk.configuration(
            "old.json5", verifiers: [desk.verifier("gone", key: "lost.key")], routes: "[{ verifier: \"gone\" }]")
        let new = try desk.configuration("new.json5", verifiers: [desk.verifier("main")], routes: Self.main)
        let against = await desk.plan(new, "--against", old)
        #expect(against.status == 0, "\(against.complaints)")
        #expect(against.output.contains("app: gone 100% → main 100%"))
        let first = await desk.plan(new)
        #expect(first.status == 0)
        #expect(first.output.hasPrefix("configuration (none runs) → "))
        #expect(first.output.contains("app: not asked for → main 100%"))
    }

    static func certification(until: String) -> String {
        """
        certification: { regime: "bango-18-4", holder: "H", program: "P", version: "1", number: "N",
          valid_from: "2026-01-01T00:00:00Z", valid_until: "\(until)" },
        """
    }
}

extension JSONNode.Kind {
    /// The text of a number.
    var text: String? {
        if case .number(let number) = self { return number.text }
        return nil
    }
}
