import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing
import VerificationCore
import WebhookSignatures

/// An app backend's own server: it keeps what it is sent and answers as it is told.
final class WebhookReceiver: Sendable {
    struct Received: Sendable {
        let path: String
        let headers: [(name: String, value: String)]
        let body: [UInt8]
    }

    private let answers: Mutex<[HTTPResponse]>
    private let kept = Mutex<[Received]>([])

    /// What came so far.
    var received: [Received] { kept.withLock { $0 } }

    /// Answers in their order; 204 after the last.
    init(_ answers: [HTTPResponse]) { self.answers = Mutex(answers) }

    func take(_ request: HTTPRequest) -> HTTPResponse {
        kept.withLock {
            $0.append(Received(path: request.path, headers: request.headers.fields, body: request.body))
        }
        return answers.withLock { $0.isEmpty ? HTTPResponse(status: 204) : $0.removeFirst() }
    }

    func until(_ count: Int, within seconds: Int = 30) async throws {
        _ = try await eventually(within: seconds) { received.count >= count }
    }
}

/// What a client is told by the real program.
@Suite(.serialized) struct ClientWebhookTests {
    private func serve(_ receiver: WebhookReceiver) throws -> HTTPServer {
        try HTTPServer(port: 0, refusal: { _ in HTTPResponse(status: 400) }, handler: { receiver.take($0) })
    }

    private func gateway(_ server: HTTPServer, secret: String) throws -> RunningGateway {
        let purposes = #"purposes: ["account-opening", "age-check"],"#
        let webhook =
            #" webhook: { url: "http://127.0.0.1:\#(server.port)/hooks", secrets: [{ file: "var/demo/hook.secret" }] },"#
        let gateway = try RunningGateway(settings: [(purposes, purposes + webhook)])
        try secret.write(
            to: gateway.folder.appendingPathComponent("var/demo/hook.secret"), atomically: true, encoding: .utf8)
        return gateway
    }

    @Test func `an end is told, signed, until it is taken, whatever happens to the gateway meanwhile`() async throws {
        let elsewhere = HTTPResponse(status: 307, headers: [("Location", "/elsewhere")])
        let receiver = WebhookReceiver([elsewhere])
        let server = try serve(receiver)
        let secret = "whsec_" + ByteText.base64([UInt8](repeating: 0x5A, count: 32))
        let gateway = try gateway(server, secret: secret)
        try await gateway.start()
        let (id, submission) = try await gateway.presented(
            body: #"{"purpose":"account-opening","reference":"canary-reference-7719"}"#)
        let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        #expect(answer.sessionStatus == "verified")
        try await receiver.until(1)
        // The failure is written down; then the process is gone without a word.
        #expect(try await eventually { try gateway.sql("SELECT max(tries) FROM outbox") == "1" })
        #expect(try await gateway.stop(SIGKILL) == SIGKILL)
        try await gateway.start()
        try await receiver.until(2, within: 120)
        #expect(try await eventually { try gateway.sql("SELECT count(*) FROM outbox") == "0" })
        let received = receiver.received
        #expect(received.count == 2 && received.allSatisfy { $0.path == "/hooks" })

        let key = try #require(WebhookSecret(standard: Array(secret.utf8)))
        let secrets = try #require(WebhookSecrets([key]))
        var names: Set<String> = []
        for message in received {
            let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            names.insert(
                try StandardWebhooks().verify(
                    WebhookHeaders(message.headers), body: message.body, secrets: secrets, at: now
                ).id)
        }
        #expect(names.count == 1 && Set(received.map(\.body)).count == 1)
        let text = String(decoding: try #require(received.first).body, as: UTF8.self)
        #expect(text.contains(id) && text.contains(#""status":"verified""#))
        let result = try #require(answer.json["result"] as? [String: Any])
        let claims = try #require(result["claims"] as? [String: Any])
        for forbidden in [claims["name"], claims["birthdate"], "canary-reference-7719"] {
            #expect(!text.contains(try #require(forbidden as? String)))
        }
        // Nothing of the address or the secret stands in the log.
        _ = try await gateway.stop()
        for log in gateway.logs {
            let lines = try String(contentsOf: log, encoding: .utf8)
            #expect(!lines.contains("/hooks") && !lines.contains("whsec_"))
        }
        await server.shutdown(grace: .seconds(1))
    }

    @Test
    func `a message that is refused for good is seen and can be tried again, and a client that is gone hinders nobody`()
        async throws
    {
        let receiver = WebhookReceiver([HTTPResponse(status: 410)])
        let server = try serve(receiver)
        let gateway = try gateway(server, secret: "whsec_" + ByteText.base64([UInt8](repeating: 1, count: 32)))
        try await gateway.start()
        for _ in 0..<2 {
            let (id, submission) = try await gateway.presented()
            let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
            #expect(answer.sessionStatus == "verified")
        }
        try await receiver.until(2)
        // The first was refused for good, the second was taken.
        let operatorKey = "demo-operator-key"
        _ = try await eventually {
            let outbox = try #require(await gateway.attempt("GET", "/v1/outbox", key: operatorKey))
            return outbox.json["dead"] as? Int == 1 && outbox.json["waiting"] as? Int == 0
        }
        let outbox = try #require(await gateway.attempt("GET", "/v1/outbox", key: operatorKey))
        let message = try #require((outbox.json["messages"] as? [[String: Any]])?.first)
        #expect(message["last_error"] as? String == "http_410")
        let name = try #require(message["id"] as? String)
        let retried = try #require(await gateway.attempt("POST", "/v1/outbox/\(name)/retry", key: operatorKey))
        #expect(retried.status == 202)
        try await receiver.until(3)
        #expect(receiver.received.count == 3)
        // Nobody is there any more.
        await server.shutdown(grace: .seconds(1))
        let (id, submission) = try await gateway.presented()
        let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        #expect(answer.sessionStatus == "verified")
        #expect(try await gateway.stop() == 0)
    }
}
