import Foundation
import TestSupport
import Testing

/// The demonstration of the whole: from our own verifier to a certified provider and back, by one line and a reload, while
/// people are being verified.
@Suite(.serialized) struct ProviderSwitchTests {
    private static let routes = #"routes: [{ verifier: "in-house" }]"#

    /// What became of the sessions that one caller opened, one after the other, until it was told to stop.
    private struct Ends {
        var byVerifier: [String: [String]] = [:]
        var failures: [String] = []
    }

    private func caller(_ gateway: RunningGateway) -> Task<Ends, any Error> {
        Task {
            var ends = Ends()
            while !Task.isCancelled {
                let session = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
                guard session.status == 201 else {
                    ends.failures.append(session.text)
                    continue
                }
                let verifier = ((session.json["verifier"] as? [String: Any])?["id"] as? String) ?? ""
                let (_, blob) = try gateway.run(
                    "sekisho-wallet", ["present", "--directory", "var/demo", "--request", "-"], input: session.text)
                var answer = try await gateway.call("POST", "/v1/sessions/\(session.id)/submission", body: blob)
                if answer.status == 202 { answer = try await gateway.call("GET", "/v1/sessions/\(session.id)?wait=20") }
                ends.byVerifier[verifier, default: []].append(answer.sessionStatus ?? answer.text)
            }
            return ends
        }
    }

    @Test func `one line and a reload move every new session to a provider and back, and no request fails`()
        async throws
    {
        let gateway = try RunningGateway()
        let sandbox = try await RunningSandbox(beside: gateway, processing: 20)
        try gateway.edit("localhost:8490", "localhost:\(sandbox.port)")
        let file = gateway.folder.appendingPathComponent("config.json5")
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(Self.routes))
        try await gateway.start()

        /// Edits the one line, and says what the plan announces.
        func route(cardsTo verifier: String) throws -> (status: Int32, output: String) {
            let cards = #"{ document_type: "org.iso.23220.1.jp.mnc", verifier: "\#(verifier)" }, "#
            let changed = text.replacingOccurrences(
                of: Self.routes, with: #"routes: [\#(cards){ verifier: "in-house" }]"#)
            try changed.write(to: file, atomically: true, encoding: .utf8)
            return try gateway.run("sekisho", ["plan", "config.json5"])
        }
        func reload() async throws {
            let answer = try #require(await gateway.attempt("POST", "/v1/config/reload", key: "demo-operator-key"))
            try #require(answer.status == 200, "\(answer.text)")
        }
        /// Waits until so many have been verified by somebody.
        func verified(by verifier: String, _ count: Int) async throws {
            let isSo = try await eventually(within: 60) {
                let found = try gateway.sql(
                    "SELECT count(*) FROM session WHERE verifier = '\(verifier)' AND status = 'verified'")
                return (Int(found) ?? 0) >= count
            }
            try #require(isSo, "nobody was verified by \(verifier)")
        }
        let pinned = try await gateway.presented()
        let callers = (0..<3).map { _ in caller(gateway) }
        try await verified(by: "in-house", 3)
        let there = try route(cardsTo: "alpha")
        #expect(there.status == 0, "\(there.output)")
        // Exactly the cards move; licences do not, and nobody's open session does.
        let moves = there.output.split(separator: "\n").filter { $0.contains("→") }.dropFirst()
        #expect(
            Set(moves.map { $0.trimmingCharacters(in: .whitespaces) }) == [
                "account-opening, org.iso.23220.1.jp.mnc, demo-app: in-house 100% → alpha 100%",
                "age-check, org.iso.23220.1.jp.mnc, demo-app: in-house 100% → alpha 100%",
            ], "\(there.output)")
        #expect(there.output.contains(", which keep") && !there.output.contains("not safe"))
        try await reload()
        let moved = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
        #expect((moved.json["verifier"] as? [String: Any])?["id"] as? String == "alpha")
        try await verified(by: "alpha", 5)
        // One that was opened before keeps its verifier.
        let kept = try await gateway.call("POST", "/v1/sessions/\(pinned.id)/submission", body: pinned.submission)
        #expect(kept.sessionStatus == "verified")
        #expect((kept.json["verifier"] as? [String: Any])?["id"] as? String == "in-house")
        let back = try route(cardsTo: "in-house")
        #expect(back.status == 0 && back.output.contains("alpha 100% → in-house 100%"), "\(back.output)")
        try await reload()
        // What runs is what the plan compares with: nothing moves any more.
        #expect(try gateway.run("sekisho", ["plan", "config.json5"]).output.contains("what moves: nothing"))
        let home = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
        #expect((home.json["verifier"] as? [String: Any])?["id"] as? String == "in-house")
        try await Task.sleep(for: .seconds(1))
        for caller in callers { caller.cancel() }
        var ends: [String: [String]] = [:]
        for caller in callers {
            let result = try await caller.value
            #expect(result.failures.isEmpty, "\(result.failures)")
            ends.merge(result.byVerifier) { $0 + $1 }
        }
        #expect(Set(ends.keys) == ["in-house", "alpha"])
        for (verifier, statuses) in ends { #expect(Set(statuses) == ["verified"], "\(verifier): \(Set(statuses))") }
        // What we counted, they counted.
        let told = ends["alpha"]?.count ?? 0
        #expect(try await sandbox.charges("alpha").count == told)
        #expect(
            try gateway.sql(
                "SELECT count(*) FROM ledger WHERE verifier = 'alpha' AND kind = 'ended' AND billable_class = 'completed_any'"
            )
                == String(told))
        #expect(try gateway.sql("SELECT count(*) FROM session WHERE status = 'processing'") == "0")
        #expect(try await gateway.stop() == 0)
        #expect(try gateway.sql("PRAGMA integrity_check") == "ok")
    }
}
