import Foundation
import RawHTTP
import Testing
import VerificationCore

/// Searches for secrets wherever the program writes: its output, its files, its answers, and what a crash leaves.
@Suite(.serialized) struct SecretTests {
    @Test func `F05 no key, token or header stands in log, store, answer or core, a crash included`() async throws {
        let gateway = try RunningGateway(settings: [("routes: [{", "logging: { level: \"debug\" },\n  routes: [{")])
        try await gateway.start()
        let canary = "c4n4ry-7f3a91"
        let (id, submission) = try await gateway.presented()
        var answers = ""
        for key in [canary, canary + " " + canary, "", "demo-operator-key", "demo-finance-key"] {
            for path in ["/v1/sessions/\(id)", "/v1/sessions", "/metrics", "/readyz", "/debug", "/nowhere"] {
                answers += await gateway.attempt("GET", path, key: key)?.text ?? ""
            }
        }
        // A secret in every place of a request where somebody may put one by mistake.
        let places = [
            "GET /v1/sessions/\(id)?key=\(canary) HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /\(canary) HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /v1/sessions/\(canary) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-app-key\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: \(canary)\r\nCookie: s=\(canary)\r\nX-Api-Key: \(canary)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \(canary)\r\nUser-Agent: \(canary)\r\n\r\n",
            "GET http://user:\(canary)@x/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "\(canary) / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\(canary)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nExpect: \(canary)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: \(canary)\r\nForwarded: for=\(canary)\r\n\r\n",
        ]
        for text in places {
            let connection = try RawConnection(port: gateway.port)
            _ = await connection.send(text)
            var reader = RawReader(connection)
            answers += await reader.next(patience: .seconds(5))?.text ?? ""
        }
        let bodies = [
            #"{"purpose":"\#(canary)"}"#, #"{"purpose":"account-opening","reference":{"\#(canary)":1}}"#, canary,
        ]
        for body in bodies {
            _ = try await gateway.call("POST", "/v1/sessions", body: body, headers: [("Idempotency-Key", canary)])
        }
        answers += try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission).text
        answers += try await gateway.call("GET", "/metrics").text
        answers += try await gateway.call("GET", "/readyz").text
        let limits = try String(contentsOfFile: "/proc/\(gateway.processIdentifier())/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").filter { $0 == "0" }.count == 2, "\(core)")
        let filter = try String(
            contentsOfFile: "/proc/\(gateway.processIdentifier())/coredump_filter", encoding: .utf8)
        #expect(filter.trimmingCharacters(in: .whitespacesAndNewlines).allSatisfy { $0 == "0" })
        #expect(try await gateway.stop(SIGABRT) == SIGABRT)
        let left = try FileManager.default.contentsOfDirectory(atPath: gateway.folder.path)
        #expect(!left.contains { $0.hasPrefix("core") })
        // Nor a report of the crash, with registers and the memory that they point at.
        let log = try String(contentsOf: gateway.logs[0], encoding: .utf8)
        #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(log.suffix(500))")

        let traces = try gateway.traces()
        #expect(traces.contains { $0.name.hasPrefix("gateway-") && $0.bytes.count > 1000 })
        let everywhere = traces + [("answers", Data(answers.utf8))]
        for (name, needle) in try secrets(of: gateway) {
            for (place, bytes) in everywhere { #expect(bytes.range(of: needle) == nil, "\(name) in \(place)") }
        }
        // What callers sent by mistake is their own, and an answer may quote it to them; nothing keeps it.
        let sent = Data(canary.utf8)
        for (place, bytes) in traces { #expect(bytes.range(of: sent) == nil, "what a caller sent is in \(place)") }
    }

    /// The secrets of the configuration as they stand in their files and as what they mean.
    private func secrets(of gateway: RunningGateway) throws -> [(String, Data)] {
        var all: [(String, Data)] = ["demo-app-key", "demo-operator-key", "demo-finance-key"].map {
            ($0, Data($0.utf8))
        }
        let pem = try String(
            contentsOf: gateway.folder.appendingPathComponent("var/demo/merchant.key"), encoding: .utf8)
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        for line in lines where line.count > 20 { all.append(("a line of the merchant's key", Data(line.utf8))) }
        let der = try #require(ByteText.bytes(base64: lines.joined()))
        // The private number of a P-256 key: the 32 bytes behind `04 20` (RFC 5915).
        let start = try #require((2..<der.count - 32).first { der[$0 - 2] == 0x04 && der[$0 - 1] == 0x20 })
        let number = Array(der[start..<start + 32])
        all.append(("the merchant's key", Data(number)))
        all.append(("the merchant's key in hex", Data(ByteText.hex(number).utf8)))
        let sealing = try String(
            contentsOf: gateway.folder.appendingPathComponent("var/demo/sealing.key"), encoding: .utf8
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let key = try #require(ByteText.bytes(hex: sealing))
        all.append(("the sealing key in hex", Data(sealing.utf8)))
        all.append(("the sealing key", Data(key)))
        all.append(("the sealing key in base64", Data(ByteText.base64(key).dropLast(2).utf8)))
        try #require(lines.count >= 2 && key.count == 32)
        return all
    }
}
