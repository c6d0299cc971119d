import Foundation
import Testing

@Suite(.serialized) struct FlowTests {
    @Test func `a My Number Card is verified over the wire, with every claim as issued`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        let (id, submission) = try await gateway.presented(body: #"{"purpose":"account-opening","reference":"case-9"}"#)
        let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        #expect(answer.status == 200)
        try #require(answer.sessionStatus == "verified", "\(answer.text.prefix(2000))")
        let result = try #require(answer.json["result"] as? [String: Any])
        let checks = try #require(result["checks"] as? [[String: Any]])
        #expect(checks.count == 13)
        for check in checks where check["name"] as? String != "revocation" {
            #expect(check["status"] as? String == "passed", "\(check)")
        }
        let claims = try #require(result["claims"] as? [String: Any])
        let name = try #require(claims["name"] as? String)
        #expect(name.contains("\u{3000}"))
        #expect(claims["local_gov_code"] as? String == "01101")
        #expect((claims["portrait"] as? [String: Any])?["media_type"] as? String == "image/jpeg")
        #expect(Set(claims.keys) == ["name", "address", "local_gov_code", "birthdate", "portrait"])
        let assured = try await gateway.call("GET", "/v1/sessions/\(id)/verified-claims")
        #expect(assured.status == 200 && assured.text.contains("jp_individual_number_card"))
        #expect(assured.text.contains(#""trust_framework":"jp_aml""#))
        #expect(try await gateway.stop() == 0)
        #expect(try gateway.sql("SELECT count(*) FROM ledger") == "2")
        let (status, output) = try gateway.run("sekisho", ["ledger", "verify", "var/demo/sekisho.sqlite3"])
        #expect(status == 0 && output.contains("2 events"))
    }

    @Test func `S01 two hundred connections submit one blob: one verdict, 199 conflicts, one pair`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        let (id, submission) = try await gateway.presented()
        let answers = await withTaskGroup(of: RunningGateway.Answer?.self) { group in
            for _ in 0..<200 {
                group.addTask { await gateway.attempt("POST", "/v1/sessions/\(id)/submission", body: submission) }
            }
            return await group.reduce(into: [RunningGateway.Answer?]()) { $0.append($1) }
        }
        #expect(answers.count { $0?.status == 200 && $0?.sessionStatus == "verified" } == 1)
        #expect(answers.count { $0?.status == 409 && $0?.code == "session_already_submitted" } == 199)
        #expect(try gateway.sql("SELECT count(*) FROM ledger") == "2")
        _ = try await gateway.stop()
    }

    // A debug build: nine tenths of it are mapped code, 49.4 MB in all when the console and usage came to it. What ships is
    // linked into one file and stays under 40 MB.
    @Test func `the gateway idles under 52 MB in debug, with under 10 of its own, and ends cleanly`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        try await Task.sleep(for: .seconds(2))
        let resident = try gateway.residentBytes()
        let own = try gateway.residentBytes("RssAnon:")
        #expect(resident > 0 && resident < 52_000_000, "\(resident)")
        #expect(own > 0 && own < 10_000_000, "\(own)")
        print("RESIDENT \(resident)")
        #expect(try await gateway.stop() == 0)
    }

    @Test func `X10 F01 a broken configuration refuses start and names every problem`() async throws {
        let gateway = try RunningGateway(settings: [
            (#"trust: [{ path: "var/demo/iaca.pem" }]"#, #"trust: [{ path: "var/demo/none.pem" }]"#),
            (#"retention: "0s""#, #"retention: "5""#),
        ])
        await #expect(throws: RunningGateway.Failure.self) { try await gateway.start() }
        let text = try String(contentsOf: gateway.logs[0], encoding: .utf8)
        #expect(text.contains("none.pem") || text.contains("trust[0].path"))
        #expect(text.contains("retention"))
    }
}
