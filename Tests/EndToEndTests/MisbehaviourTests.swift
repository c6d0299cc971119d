import Foundation
import Testing

/// Each misbehaviour of the sandbox from the app's request to the provider's bill, as `docs/sandbox.md` tells it.
@Suite(.serialized) struct MisbehaviourTests {
    private static let heading = "## What becomes of a session"

    /// The rows of the page, under their heading.
    private static func documented() throws -> [String] {
        let page = try String(
            contentsOf: RunningGateway.Setup.find().repository.appendingPathComponent("docs/sandbox.md"),
            encoding: .utf8)
        guard let start = page.range(of: heading) else { return [] }
        let rest = page[start.upperBound...]
        let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
        return section.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map(String.init)
    }

    private static var rows: [Misbehaviour] {
        Misbehaviour.atAlpha + Misbehaviour.atBeta + Misbehaviour.atGamma
    }

    @Test func `the page has the rows of this test and no other`() throws {
        let documented = try Self.documented()
        for (row, line) in zip(Self.rows, documented) { #expect(row.text == line) }
        #expect(documented.count == Self.rows.count)
    }

    /// A gateway over the three providers, each reached by a purpose of its own.
    private func open() async throws -> ProviderScene {
        let providers = ["alpha", "beta", "gamma"]
        return try await ProviderScene("in-house") { gateway in
            let purposes = providers.map {
                """
                "at-\($0)": { document_types: ["org.iso.23220.1.jp.mnc"], claims: ["name", "birthdate", "local_gov_code"],
                  required_claims: ["name"], retention: "1h", relying_party_retention: "1d" },

                """
            }
            try gateway.edit(
                #"purposes: ["account-opening", "age-check"]"#, #"purposes: ["at-alpha", "at-beta", "at-gamma"]"#)
            try gateway.edit("  purposes: {\n", "  purposes: {\n" + purposes.joined())
            // A provider that fails this often would be given up for a while.
            try gateway.edit(#"kind: "certified","#, #"kind: "certified", circuit: { minimum_calls: 10000 },"#)
            // A loaded machine is not to look like a provider that is silent.
            try gateway.editManifests(#"timeout: "5s""#, #"timeout: "6s""#)
            let routes = providers.map { #"{ purpose: "at-\#($0)", verifier: "\#($0)" }, "# }
            try gateway.edit(
                #"routes: [{ verifier: "in-house" }]"#,
                #"sessions: { processing_deadline: "20s" }, logging: { level: "debug" }, routes: [\#(routes.joined()){ verifier: "in-house" }]"#
            )
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `P05 P17 P18 F05 each misbehaviour ends the session, fills the ledger and is billed as the page says`()
        async throws
    {
        let scene = try await open()
        let bench = Bench(scene: scene, phone: try Phone(beside: scene.gateway))
        for row in Self.rows where row.isAlone {
            #expect(try await scene.gateway.stop() == 0)
            try await scene.gateway.start()
            try await scene.aimWebhooks()
            try await bench.check(row)
        }
        // Orders are for a provider and a step, so the three go on beside one another.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for rows in [Misbehaviour.atAlpha, Misbehaviour.atBeta, Misbehaviour.atGamma] {
                group.addTask {
                    for row in rows where !row.isAlone { try await bench.check(row) }
                }
            }
            try await group.waitForAll()
        }
        // Nothing turned over after its row was read, and every fault that can be ordered has one.
        try await bench.checkAgain()
        let names = try await scene.sandbox.faultNames()
        #expect(Set(names) == Set(Self.rows.map(\.fault)).subtracting([Misbehaviour.none]))
        #expect(names.count == 28)
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        // Beta bills an approval that it takes back; whoever reads its invoice is told.
        let withdrawn = Self.rows.count { $0.provider == "beta" && $0.fault == "revised" }
        #expect(books.problems.count == withdrawn, "\(books.problems)")
        try await scene.end()
        try checkSecrets(scene.gateway)
    }

    /// Nothing of what proves us to a provider, or a provider to us, is written down, whatever went wrong between us.
    private func checkSecrets(_ gateway: RunningGateway) throws {
        let traces = try gateway.traces()
        #expect(traces.contains { $0.name.hasPrefix("gateway-") && $0.bytes.count > 1000 })
        var needles = ["Bearer ", "whsec_"]
        for name in ["alpha.key", "beta.secret", "gamma.secret", "webhook.secret"] {
            let file = gateway.folder.appendingPathComponent("var/demo/sandbox/\(name)")
            let secret = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            try #require(secret.count > 16, "\(name)")
            needles.append(secret)
        }
        for needle in needles {
            for (place, bytes) in traces {
                #expect(bytes.range(of: Data(needle.utf8)) == nil, "\(needle.prefix(6)) in \(place)")
            }
        }
    }
}
