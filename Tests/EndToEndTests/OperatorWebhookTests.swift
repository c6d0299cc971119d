import Foundation
import HTTPServer
import TestSupport
import Testing
import VerificationCore
import WebhookSignatures

/// What the operators are told by the real program.
@Suite(.serialized) struct OperatorWebhookTests {
    @Test func `a budget's limits are told once each, signed, whatever happens to the gateway meanwhile`() async throws
    {
        let receiver = WebhookReceiver([HTTPResponse(status: 503)])
        let server = try HTTPServer(
            port: 0, refusal: { _ in HTTPResponse(status: 400) }, handler: { receiver.take($0) })
        let secret = "whsec_" + ByteText.base64([UInt8](repeating: 0x33, count: 32))
        let more = """
            budgets: [{ per: "month", unit: "attempts", soft: 1, hard: 2 }],
              operators: { webhook: { url: "http://127.0.0.1:\(server.port)/watch", secrets: [{ file: "var/demo/watch.secret" }] } },
              store: {
            """
        let gateway = try RunningGateway(settings: [("store: {", more)])
        try secret.write(
            to: gateway.folder.appendingPathComponent("var/demo/watch.secret"), atomically: true, encoding: .utf8)
        try await gateway.start()
        func verify() async throws -> String? {
            let (id, submission) = try await gateway.presented()
            return try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission).sessionStatus
        }
        #expect(try await verify() == "verified")
        // Told of without another session, and not taken: then the process is gone without a word.
        try await receiver.until(1)
        #expect(try await eventually { try gateway.sql("SELECT max(tries) FROM outbox") == "1" })
        #expect(try await gateway.stop(SIGKILL) == SIGKILL)
        try await gateway.start()
        try await receiver.until(2, within: 120)
        #expect(try await eventually { try gateway.sql("SELECT count(*) FROM outbox") == "0" })
        #expect(try await verify() == "verified")
        try await receiver.until(3)
        #expect(try await eventually { try gateway.sql("SELECT count(*) FROM outbox") == "0" })
        let refused = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
        #expect(refused.status == 503)
        #expect(receiver.received.count == 3 && receiver.received.allSatisfy { $0.path == "/watch" })

        let key = try #require(WebhookSecret(standard: Array(secret.utf8)))
        let secrets = try #require(WebhookSecrets([key]))
        var told: [String: Int] = [:]
        for message in receiver.received {
            let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            let name = try StandardWebhooks().verify(
                WebhookHeaders(message.headers), body: message.body, secrets: secrets, at: now
            ).id
            let json = try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
            let data = try #require(json["data"] as? [String: Any])
            told["\(name) \(data["limit"] as? String ?? "") \(data["used"] as? Int ?? 0)", default: 0] += 1
        }
        // The first came twice, under one name and with the same words.
        #expect(told.values.sorted() == [1, 2] && told.keys.contains { $0.hasSuffix(" hard 2") }, "\(told)")
        let audited = try gateway.sql("SELECT outcome FROM audit WHERE action = 'budget_reached' ORDER BY sequence")
        #expect(audited.split(whereSeparator: \.isNewline) == ["soft", "hard"])
        _ = try await gateway.stop()
        for log in gateway.logs {
            let lines = try String(contentsOf: log, encoding: .utf8)
            #expect(!lines.contains("/watch") && !lines.contains("whsec_"))
        }
        await server.shutdown(grace: .seconds(1))
    }
}
