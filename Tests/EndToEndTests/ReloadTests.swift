import Foundation
import TestSupport
import Testing

/// The real program takes a new configuration while it runs.
@Suite(.serialized) struct ReloadTests {
    private let operatorKey = "demo-operator-key"

    private func reload(_ gateway: RunningGateway) async throws -> RunningGateway.Answer {
        try #require(await gateway.attempt("POST", "/v1/config/reload", key: operatorKey))
    }

    /// Changes the configuration of a gateway as an editor does: a new file under the old name.
    private func edit(_ gateway: RunningGateway, _ changes: [(String, String)]) throws {
        let file = gateway.folder.appendingPathComponent("config.json5")
        var text = try String(contentsOf: file, encoding: .utf8)
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    @Test func `F01 F02 a bad configuration changes nothing and is shown, and the next good one is taken`() async throws
    {
        let gateway = try RunningGateway()
        try await gateway.start()
        let file = gateway.folder.appendingPathComponent("config.json5")
        let good = try String(contentsOf: file, encoding: .utf8)
        let version = try #require(try await gateway.call("GET", "/readyz").json["configuration_version"] as? String)
        let (id, submission) = try await gateway.presented()
        let bad: [(change: (String, String), place: String)] = [
            (("trust: [{", "trusts: [{"), "trusts"),
            ((#"retention: "1d""#, #"retention: "5""#), "retention"),
            (("var/demo/merchant.key", "var/demo/none.key"), "keys[0].key"),
            (("var/demo/iaca.pem", "var/demo/merchant.key"), "trust[0].path"),
            (("var/demo/sealing.key", "var/demo/iaca.pem"), "sealing.keys[0].key"),
            ((#"id: "demo""#, #"id: "other""#), "sealing.keys"),
            (("port: 0", "port: 8480"), "http"),
            (("var/demo/sekisho.sqlite3", "var/demo/second.sqlite3"), "store"),
            ((#"environment: "development""#, #"environment: "test""#), "environment"),
        ]
        for (change, place) in bad {
            try edit(gateway, [change])
            let answer = try await reload(gateway)
            #expect(answer.status == 422 && answer.code == "configuration_invalid", "\(place): \(answer.text)")
            let problems = try #require(answer.json["problems"] as? [[String: Any]])
            #expect(problems.contains { ($0["path"] as? String)?.contains(place) == true }, "\(place): \(problems)")
            #expect(!answer.text.contains("PRIVATE KEY"))
            let ready = try await gateway.call("GET", "/readyz")
            #expect(ready.status == 200 && ready.json["configuration_version"] as? String == version)
            #expect((ready.json["last_reload"] as? [String: Any])?["outcome"] as? String == "refused")
            try good.write(to: file, atomically: true, encoding: .utf8)
        }
        // Missing, unreadable, a folder, no JSON5 at all.
        try FileManager.default.removeItem(at: file)
        #expect(try await reload(gateway).status == 422)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(try await reload(gateway).status == 422)
        try FileManager.default.removeItem(at: file)
        try "{".write(to: file, atomically: true, encoding: .utf8)
        #expect(try await reload(gateway).status == 422)
        #expect(
            try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission).sessionStatus
                == "verified")

        try good.write(to: file, atomically: true, encoding: .utf8)
        try edit(gateway, [(#"retention: "1d""#, #"retention: "2d""#)])
        let taken = try await reload(gateway)
        #expect(taken.status == 200 && taken.json["configuration_version"] as? String != version)
        #expect(try gateway.sql("SELECT count(*) FROM setting WHERE name LIKE 'configuration:%'") == "2")
        let metrics = try await gateway.call("GET", "/metrics").text
        #expect(metrics.contains(#"sekisho_reloads_total{outcome="refused"} 12"#))
        #expect(metrics.contains("sekisho_reload_refused 0"))
        #expect(try await gateway.stop() == 0)
        let log = try String(contentsOf: gateway.logs[0], encoding: .utf8)
        #expect(log.contains("a reload was refused") && log.contains("trusts"))
    }

    @Test
    func `F03 what files hold is read again though the configuration is the same, and sessions keep their course`()
        async throws
    {
        let gateway = try RunningGateway(settings: [
            (#"revocation: { crls: ["var/demo/iaca.crl"], policy: "not_checked" },"#, "")
        ])
        try await gateway.start()
        let demo = gateway.folder.appendingPathComponent("var/demo")
        _ = try gateway.run("sekisho-wallet", ["issue", "--directory", "var/other"])
        let (early, earlySubmission) = try await gateway.presented()
        let (late, lateSubmission) = try await gateway.presented()
        #expect(
            try await gateway.call("POST", "/v1/sessions/\(early)/submission", body: earlySubmission).sessionStatus
                == "verified")
        // Another authority's root under the same name: the newest anchors count for a session that was opened before.
        let root = demo.appendingPathComponent("iaca.pem")
        let own = try Data(contentsOf: root)
        try Data(contentsOf: gateway.folder.appendingPathComponent("var/other/iaca.pem")).write(to: root)
        let before = try await gateway.call("GET", "/readyz").json["configuration_version"] as? String
        kill(try gateway.processIdentifier(), SIGHUP)
        #expect(
            try await eventually { try await !(gateway.call("GET", "/readyz").json["last_reload"] is NSNull) })
        let ready = try await gateway.call("GET", "/readyz")
        let last = try #require(ready.json["last_reload"] as? [String: Any])
        #expect(last["outcome"] as? String == "applied", "\(ready.text)")
        #expect(ready.json["configuration_version"] as? String == before)
        let answer = try await gateway.call("POST", "/v1/sessions/\(late)/submission", body: lateSubmission)
        #expect(answer.sessionStatus == "rejected" && answer.text.contains("issuer_untrusted"))
        // And back.
        try own.write(to: root)
        #expect(try await reload(gateway).status == 200)
        let (again, submission) = try await gateway.presented()
        #expect(
            try await gateway.call("POST", "/v1/sessions/\(again)/submission", body: submission).sessionStatus
                == "verified")
        #expect(try await gateway.stop() == 0)
    }

    @Test func `keys rotate by reloads, and no request that runs meanwhile fails`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        let file = gateway.folder.appendingPathComponent("config.json5")
        let good = try String(contentsOf: file, encoding: .utf8)
        try String(repeating: "ab", count: 32).write(
            to: gateway.folder.appendingPathComponent("var/demo/sealing-2.key"), atomically: true, encoding: .utf8)
        let rotated = good.replacingOccurrences(
            of: "keys: [{ id: \"demo\"",
            with: "keys: [{ id: \"second\", key: { file: \"var/demo/sealing-2.key\" } }, { id: \"demo\"")
        try #require(rotated != good)
        let load = (0..<3).map { _ in
            Task { () -> [String] in
                var ends: [String] = []
                while !Task.isCancelled {
                    let (id, submission) = try await gateway.presented()
                    let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
                    ends.append(answer.sessionStatus ?? answer.text)
                    ends.append(try await gateway.call("GET", "/v1/sessions/\(id)").sessionStatus ?? "unread")
                }
                return ends
            }
        }
        for round in 0..<6 {
            // The second key once it seals can only go when nothing is sealed by it: it stays.
            try (round == 0 ? good : rotated).write(to: file, atomically: true, encoding: .utf8)
            let answer = try await reload(gateway)
            #expect(answer.status == 200, "\(answer.text)")
            try await Task.sleep(for: .milliseconds(200))
        }
        for task in load { task.cancel() }
        var ends: [String] = []
        for task in load { ends += try await task.value }
        #expect(ends.count > 6 && Set(ends) == ["verified"], "\(Set(ends))")
        #expect(try await gateway.stop() == 0)
        #expect(try gateway.sql("SELECT count(*) FROM session WHERE status <> 'verified'") == "0")
        #expect(try gateway.sql("PRAGMA integrity_check") == "ok")
    }
}
