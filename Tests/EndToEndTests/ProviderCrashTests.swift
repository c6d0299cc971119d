import Foundation
import TestSupport
import Testing

/// `kill -9` while a provider works: what was out is open in the ledger once, and the next start settles it.
@Suite(.serialized) struct ProviderCrashTests {
    /// Kills at moments of a submission, from before it is claimed to after its answer, at each of the providers.
    private static let moments = [0, 15, 40, 90, 200, 450]

    private func events(_ gateway: RunningGateway, of id: String, call: String = "submit") throws -> [String] {
        try gateway.sql(
            "SELECT kind || ' ' || billable_class FROM ledger WHERE session = '\(id)' AND call = '\(call)' ORDER BY sequence"
        ).split(separator: "\n").map(String.init)
    }

    /// Submits to a provider that takes the evidence and never says so, and kills the gateway meanwhile.
    private func killWhileOut(_ scene: ProviderScene) async throws -> String {
        let provider = scene.provider
        try await scene.sandbox.order(provider, "submit", #""fault":"timeout","charged":true"#)
        let (id, submission) = try await scene.present()
        let gateway = scene.gateway
        let submitting = Task { await gateway.attempt("POST", "/v1/sessions/\(id)/submission", body: submission) }
        #expect(try await eventually { try await !scene.sandbox.charges(provider).isEmpty })
        #expect(try events(gateway, of: id).count == 1, "started, before it left")
        #expect(try await gateway.stop(SIGKILL) == SIGKILL)
        #expect(await submitting.value == nil)
        let open = try events(gateway, of: id)
        #expect(open.count == 1 && open[0].hasPrefix("started "), "\(open)")
        return id
    }

    @Test func `a gateway killed while gamma works asks gamma at the next start, and never submits again`() async throws
    {
        // It calls back only after the kill, however slow the machine is.
        let scene = try await ProviderScene("gamma", processing: 10_000)
        let id = try await killWhileOut(scene)
        try await scene.gateway.start()
        let answer = try await scene.wait(id)
        #expect(answer.sessionStatus == "verified", "\(answer.text.prefix(800)) \(scene.log)")
        let settled = [
            "started evidence_submitted", "uncertain evidence_submitted", "resolved evidence_submitted",
        ]
        #expect(try events(scene.gateway, of: id) == settled)
        // Nothing is left for another start to do.
        _ = try await scene.gateway.stop(SIGKILL)
        try await scene.gateway.start()
        try await Task.sleep(for: .seconds(1))
        #expect(try events(scene.gateway, of: id) == settled)
        #expect(try await scene.sandbox.calls("gamma", "submit") == 1)
        #expect(try await scene.sandbox.charges("gamma") == ["submission"])
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        #expect(books.charged == 1 && books.uncertain == 0)
        try await scene.end()
    }

    @Test func `a provider that cannot be asked leaves one uncertain call, and its session fails at its deadline`()
        async throws
    {
        let scene = try await ProviderScene(
            "alpha", settings: [("routes:", "sessions: { processing_deadline: \"15s\" },\n  routes:")])
        _ = try await scene.gateway.stop()
        for step in ["fetch", "poll"] { try scene.withdraw(step) }
        // Without poll, no answer may say that another one follows.
        try scene.changeManifest("        final: { at: \"/kakutei\", equals: true },\n", "")
        try await scene.gateway.start()
        let id = try await killWhileOut(scene)
        for _ in 0..<2 {
            try await scene.gateway.start()
            #expect(try events(scene.gateway, of: id) == ["started completed_any", "uncertain completed_any"])
            #expect(try await scene.gateway.call("GET", "/v1/sessions/\(id)").sessionStatus == "processing")
            _ = try await scene.gateway.stop(SIGKILL)
        }
        try await scene.gateway.start()
        let answer = try await scene.wait(id)
        #expect(answer.sessionStatus == "failed", "\(answer.text)")
        #expect((answer.json["failure"] as? [String: Any])?["code"] as? String == "provider_timeout")
        #expect(try events(scene.gateway, of: id) == ["started completed_any", "uncertain completed_any"])
        #expect(try await scene.sandbox.calls("alpha", "submit") == 1)
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        #expect(books.charges == 1 && books.charged == 0 && books.uncertain == 1)
        try await scene.end()
    }

    @Test func `a provider that can only be polled is polled at the next start, by our own name for the attempt`()
        async throws
    {
        let scene = try await ProviderScene("alpha")
        _ = try await scene.gateway.stop()
        try scene.withdraw("fetch")
        try await scene.gateway.start()
        let id = try await killWhileOut(scene)
        try await scene.gateway.start()
        let answer = try await scene.wait(id)
        #expect(answer.sessionStatus == "verified", "\(answer.text.prefix(800)) \(scene.log)")
        #expect(
            try events(scene.gateway, of: id) == [
                "started completed_any", "uncertain completed_any", "resolved completed_any",
            ])
        #expect(try await scene.sandbox.calls("alpha", "submit") == 1)
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        #expect(books.charged == 1 && books.uncertain == 0)
        try await scene.end()
    }

    @Test func `a gateway killed while a verdict is promised goes on waiting for it, and calls nothing lost`()
        async throws
    {
        // It works for longer than a kill and two starts take.
        let scene = try await ProviderScene("beta", processing: 12_000)
        let (id, submission) = try await scene.present()
        let answer = try await scene.gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        #expect(answer.status == 202, "\(answer.text) \(scene.log)")
        for _ in 0..<2 {
            #expect(try events(scene.gateway, of: id) == ["started completed_pass"], "open: its verdict is to come")
            #expect(try await scene.gateway.stop(SIGKILL) == SIGKILL)
            try await scene.gateway.start()
        }
        #expect(try await scene.gateway.call("GET", "/v1/sessions/\(id)").sessionStatus == "processing")
        // A kill in the middle of a question leaves the session alone for half a minute.
        var end = try await scene.wait(id)
        if end.sessionStatus == "processing" { end = try await scene.wait(id) }
        #expect(end.sessionStatus == "verified", "\(end.text) \(scene.log)")
        #expect(try events(scene.gateway, of: id) == ["started completed_pass", "ended completed_pass"])
        #expect(try await scene.sandbox.calls("beta", "submit") == 1)
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        #expect(books.uncertain == 0)
        try await scene.end()
    }

    @Test(arguments: ["alpha", "beta", "gamma"])
    func `Q05 kill -9 at any moment of a submission leaves no call untold and charges none twice`(provider: String)
        async throws
    {
        let scene = try await ProviderScene(
            provider, processing: 150, settings: [("routes:", "sessions: { processing_deadline: \"20s\" },\n  routes:")]
        )
        let phone = try Phone(beside: scene.gateway)
        var ids: [String] = []
        for moment in Self.moments {
            if moment != Self.moments.first { try await scene.gateway.start() }
            let gateway = scene.gateway
            var waiting: [(id: String, body: String)] = []
            for _ in 0..<4 {
                let session = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
                try #require(session.status == 201, "\(session.text) \(scene.log)")
                waiting.append((session.id, try phone.answer(session.json)))
            }
            ids += waiting.map(\.id)
            let submissions = waiting.map { next in
                Task { await gateway.attempt("POST", "/v1/sessions/\(next.id)/submission", body: next.body) }
            }
            try await Task.sleep(for: .milliseconds(moment))
            #expect(try await gateway.stop(SIGKILL) == SIGKILL)
            for submission in submissions { _ = await submission.value }
        }
        try await scene.gateway.start()
        // A call that nobody can ask about any more ends at the processing deadline.
        _ = try await eventually(within: 60) {
            try scene.gateway.sql("SELECT count(*) FROM session WHERE status = 'processing'") == "0"
        }
        var ends: [String: Int] = [:]
        for id in ids {
            let answer = try await scene.gateway.call("GET", "/v1/sessions/\(id)")
            ends[answer.sessionStatus ?? answer.text, default: 0] += 1
        }
        // `created` was never claimed; `failed` never arrived there, and its evidence is gone.
        #expect(Set(ends.keys).isSubset(of: ["created", "verified", "failed"]), "\(ends) \(scene.log)")
        #expect((ends["verified"] ?? 0) > 0, "\(ends)")
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        #expect(try await scene.gateway.stop() == 0)
        #expect(try scene.gateway.run("sekisho", ["ledger", "verify", "var/demo/sekisho.sqlite3"]).status == 0)
        _ = try await scene.sandbox.stop()
    }
}

extension ProviderScene {
    /// Changes the text of the provider's manifest.
    func changeManifest(_ old: String, _ new: String) throws {
        let file = gateway.folder.appendingPathComponent("Config/providers/\(provider).json5")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard text.contains(old) else { throw RunningGateway.Failure(words: "the manifest has no \(old)") }
        try text.replacingOccurrences(of: old, with: new).write(to: file, atomically: true, encoding: .utf8)
    }

    /// Takes a step out of the provider's manifest.
    func withdraw(_ step: String) throws {
        let file = gateway.folder.appendingPathComponent("Config/providers/\(provider).json5")
        var text = try String(contentsOf: file, encoding: .utf8)
        guard let start = text.range(of: "\n    \(step): {"),
            let end = text.range(of: "\n    },", range: start.upperBound..<text.endIndex)
        else { throw RunningGateway.Failure(words: "the manifest has no \(step)") }
        text.removeSubrange(start.lowerBound..<end.upperBound)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
