import Configuration
import Foundation
import JSONTree
import Testing
import VerificationCore

@testable import sekisho

/// `sekisho route`: one decision, step by step.
@Suite struct RouteTests {
    private func desk() throws -> (Desk, String) {
        let desk = try Desk()
        let path = try desk.configuration(
            "c.json5",
            verifiers: [
                desk.verifier("main"), desk.verifier("next", key: "second.key", merchant: "n"), desk.verifier("twin"),
            ],
            routes: """
                [
                  { name: "night", window: { hours: { from: "22:00", until: "06:00", time_zone: "Asia/Tokyo" } }, verifier: "next" },
                  { name: "trial", verifiers: [{ id: "main", weight: 75 }, { id: "next", weight: 25 }] },
                  { name: "rest", verifier: "twin", fallback: ["main"], shadow: { verifier: "main", percent: 100 } },
                ]
                """)
        return (desk, path)
    }

    private func route(_ path: String, _ more: String...) -> CommandOutcome {
        RouteCommand.execute([path, "--purpose", "kyc", "--client", "app"] + more, at: Desk.now)
    }

    @Test func `without a session it tells the shares of all`() throws {
        let (held, path) = try desk()
        defer { withExtendedLifetime(held) {} }
        let outcome = route(path)
        #expect(outcome.status == 0, "\(outcome.complaints)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(
            lines[0].hasPrefix("a session of app for kyc with org.iso.23220.1.jp.mnc, at 2026-11-30T03:00:00Z, by "))
        #expect(
            Array(lines.dropFirst()) == [
                "  rule night: does not speak of it, by its window", "  rule trial: speaks of it: main, next",
                "    main gets 3 of 4 (75%)", "    next gets 1 of 4 (25%)",
            ])
    }

    @Test func `with a session it tells the one that gets it, and it is the one that the gateway's table picks`() throws
    {
        let (held, path) = try desk()
        defer { withExtendedLifetime(held) {} }
        var counts: [String: Int] = [:]
        for number in 0..<200 {
            let json = try JSONNode.parse(
                Array(route(path, "--session", "ses_\(number)", "--format", "json").output.utf8), syntax: .json)
            let verifier = try #require(json["verifier"]?.string)
            counts[verifier, default: 0] += 1
            #expect(json["rule"]?.string == "trial")
            #expect(json["steps"]?.elements?.map { $0["step"]?.string } == ["skipped", "matched", "picked"])
        }
        #expect(Set(counts.keys) == ["main", "next"] && (20...80).contains(counts["next"] ?? 0))
    }

    @Test func `who is out is passed over with the reason, and the rest of the rule tells itself`() throws {
        let (held, path) = try desk()
        defer { withExtendedLifetime(held) {} }
        let outcome = route(path, "--session", "ses_1", "--out", "main=circuit_open", "--out=next=held_open")
        #expect(outcome.status == 0)
        for words in [
            "main is passed over: circuit_open", "next is passed over: held_open", "twin gets it",
            "main verifies it again", "after an error: main",
        ] {
            #expect(outcome.output.contains(words), "\(words): \(outcome.output)")
        }
        let nobody = route(path, "--out", "main=not_ready", "--out", "next=not_ready", "--out", "twin=not_ready")
        #expect(nobody.status == 1)
        #expect(nobody.output.contains("no rule is left: the session is refused with verifier_unavailable"))
    }

    @Test func `the time decides where a rule has hours`() throws {
        let (held, path) = try desk()
        defer { withExtendedLifetime(held) {} }
        #expect(route(path, "--at", "2026-11-30T22:00:00+09:00").output.contains("next gets 1 of 1 (100%)"))
        #expect(route(path, "--at", "2026-11-30T21:59:59+09:00").output.contains("main gets 3 of 4"))
    }

    @Test func `in production a certification that has ended is known without being told`() throws {
        let desk = try Desk()
        func certified(_ name: String, until: String) -> String {
            desk.verifier(name, more: PlanTests.certification(until: until))
        }
        let path = try desk.configuration(
            "p.json5",
            verifiers: [
                certified("main", until: "2026-12-31T00:00:00Z"), certified("next", until: "2028-01-01T00:00:00Z"),
            ],
            routes: "[{ verifier: \"main\", fallback: [\"next\"] }]", environment: "production")
        #expect(route(path).output.contains("main gets 1 of 1"))
        let later = route(path, "--at", "2027-01-01T00:00:00Z")
        #expect(later.output.contains("main is passed over: certification_not_current"))
        #expect(later.output.contains("next gets 1 of 1") && later.status == 0)
    }

    @Test func `a verifier that can never give what the purpose requires is told as unsuitable, as creation tells it`()
        throws
    {
        let desk = try Desk()
        let nameless = try desk.certified("nameless") {
            $0.replacingOccurrences(of: "          name: \"/komoku/shimei\",\n", with: "")
        }
        let narrow = desk.verifier("narrow").replacingOccurrences(
            of: "root.der\" }", with: "root.der\", document_types: [\"org.iso.18013.5.1.mDL\"] }")
        let path = try desk.configuration(
            "c.json5", verifiers: [try desk.certified("alpha"), nameless, narrow, desk.verifier("main")],
            routes: """
                [{ name: "r", verifiers: [
                  { id: "nameless", weight: 1 }, { id: "narrow", weight: 1 }, { id: "alpha", weight: 1 }] }]
                """)
        let outcome = route(path)
        #expect(outcome.status == 0, "\(outcome.complaints)")
        #expect(outcome.output.contains("nameless is passed over: unsuitable"), "\(outcome.output)")
        #expect(outcome.output.contains("narrow is passed over: unsuitable"))
        #expect(outcome.output.contains("alpha gets 1 of 1 (100%)"))
        // What it goes by is what the opened verifiers say of themselves, which is what creation asks.
        let opened = try OpenedConfiguration.forCommand(path: path, at: Desk.now)
        #expect(try VerifierKinds.offers(of: opened.configuration.verifiers) == opened.descriptions.mapValues(\.offer))
        // Without its manifest nobody can tell, and no secret was looked at.
        try FileManager.default.removeItem(atPath: desk.path("alpha.key"))
        #expect(route(path).status == 0)
        try FileManager.default.removeItem(atPath: desk.path("alpha.json5"))
        let lost = route(path)
        #expect(lost.status == 2 && lost.complaints.contains("verifiers.alpha.manifest"), "\(lost.complaints)")
    }

    @Test func `no secret is needed to explain a route`() throws {
        let desk = try Desk()
        let path = try desk.configuration(
            "c.json5", verifiers: [desk.verifier("main", key: "lost.key")], routes: "[{ verifier: \"main\" }]",
            sealing: "lost")
        #expect(route(path).status == 0)
    }

    @Test func `a name that is not there is told with the nearest, and a wrong call with how to call`() throws {
        let (held, path) = try desk()
        defer { withExtendedLifetime(held) {} }
        func words(_ arguments: String...) -> (Int32, String) {
            let outcome = RouteCommand.execute(arguments, at: Desk.now)
            return (outcome.status, outcome.complaints)
        }
        let purpose = words(path, "--purpose", "kcy", "--client", "app")
        #expect(purpose.0 == 2 && purpose.1 == "the configuration has no purpose kcy; did you mean kyc?")
        #expect(words(path, "--purpose", "kyc", "--client", "ap").1.hasSuffix("did you mean app?"))
        #expect(
            words(path, "--purpose", "kyc", "--client", "app", "--out", "mian=not_ready").1.hasSuffix(
                "did you mean main?"))
        #expect(words(path, "--purpose", "kyc", "--client", "app", "--document", "mdl").0 == 2)
        for wrong in [
            [path, "--purpose", "kyc"], [path, "--client", "app"], ["--purpose", "kyc", "--client", "app"],
            [path, "--purpose", "kyc", "--client", "app", "--at", "noon"],
            [path, "--purpose", "kyc", "--client", "app", "--out", "main=tired"],
            [path, "--purpose", "kyc", "--client", "app", "--format", "xml"],
            [path, "--purpose", "kyc", "--client", "app", "--sesion", "x"], [path, path, "--purpose", "kyc"],
            [path, "--purpose", "kyc", "--purpose", "kyc", "--client", "app"], [path, "--purpose"],
        ] {
            let outcome = RouteCommand.execute(wrong, at: Desk.now)
            #expect(outcome.status == 64 && outcome.complaints.contains("usage: sekisho route"), "\(wrong)")
            #expect(outcome.output.isEmpty)
        }
    }
}
