import Foundation
import Testing

@Suite(.serialized) struct CrashTests {
    /// Kills at random moments under load. Enough to meet each step of a submission; each takes about a second.
    private static let rounds = 8

    @Test func `Q05 S02 kill -9 at any moment loses no acknowledged session and no nonce is used twice`() async throws {
        let gateway = try RunningGateway()
        var acknowledged: [String: String] = [:]
        var verdicts: [String: String] = [:]
        var blobs: [String: String] = [:]
        for round in 0..<Self.rounds {
            try await gateway.start()
            let fresh = try await gateway.presented()
            blobs[fresh.id] = fresh.submission
            acknowledged[fresh.id] = "created"
            let moment = Duration.milliseconds(Int.random(in: 0...40))
            async let killed: Int32 = {
                try await Task.sleep(for: moment)
                return try await gateway.stop(SIGKILL)
            }()
            let outcomes = await withTaskGroup(of: (String, RunningGateway.Answer?).self) { group in
                for (id, blob) in blobs {
                    for _ in 0..<4 {
                        group.addTask {
                            (id, await gateway.attempt("POST", "/v1/sessions/\(id)/submission", body: blob))
                        }
                    }
                }
                for _ in 0..<20 {
                    group.addTask {
                        let body = #"{"purpose":"account-opening"}"#
                        return ("", await gateway.attempt("POST", "/v1/sessions", body: body))
                    }
                }
                return await group.reduce(into: [(String, RunningGateway.Answer?)]()) { $0.append($1) }
            }
            #expect(try await killed == SIGKILL)
            for (id, answer) in outcomes {
                guard let answer else { continue }
                if id.isEmpty, answer.status == 201 { acknowledged[answer.id] = "created" }
                if answer.status == 200, let status = answer.sessionStatus {
                    #expect(verdicts[id] == nil, "two verdicts for one nonce in round \(round)")
                    verdicts[id] = status
                }
            }
        }
        try await gateway.start()
        for id in acknowledged.keys {
            let answer = try await gateway.call("GET", "/v1/sessions/\(id)")
            #expect(answer.status == 200, "\(id) was acknowledged and is gone")
            if let verdict = verdicts[id] { #expect(answer.sessionStatus == verdict) }
        }
        for (id, blob) in blobs {
            let before = try await gateway.call("GET", "/v1/sessions/\(id)")
            let again = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: blob)
            if before.sessionStatus != "created" { #expect(again.code == "session_already_submitted") }
        }
        _ = try await gateway.stop()
        let pairs = try gateway.sql("SELECT count(*) FROM ledger")
        let ended = try gateway.sql("SELECT count(*) FROM session WHERE status IN ('verified', 'rejected')")
        #expect(Int(pairs) == 2 * (Int(ended) ?? -1))
        #expect(try gateway.run("sekisho", ["ledger", "verify", "var/demo/sekisho.sqlite3"]).status == 0)
    }
}
