import Foundation
import HTTPClient
import Testing

struct EnvironmentTests {
    @Test func `the environment's proxies, and its file for TLS keys, are not used`() async throws {
        let trap = TestServer { peer in
            _ = peer.receive()
            peer.write("HTTP/1.1 502 Trapped\r\nContent-Length: 0\r\n\r\n")
        }
        let server = Scene.server(answering: "x")
        let keys = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)").path
        defer {
            trap.stop()
            server.stop()
        }
        var environment = ["SSLKEYLOGFILE": keys, "CURL_CA_BUNDLE": "/nonexistent", "SSL_CERT_FILE": "/nonexistent"]
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            environment[name] = "http://127.0.0.1:\(trap.port)"
        }
        let output = try await Probe.run([server.url(), Scene.authority.file, "2"], environment: environment)
        #expect(output.hasPrefix("answered 200"))
        #expect(trap.connections == 0)
        #expect(server.requests.count == 2)
        #expect(!FileManager.default.fileExists(atPath: keys))
    }

    @Test func `a kept connection that died does not end a process that takes signals as they come`() async throws {
        let server = Scene.server { peer in
            guard peer.readRequest() != nil else { return }
            peer.answer()
            usleep(1000)
            peer.reset()
        }
        defer { server.stop() }
        // The probe checks the exit status; libcurl says goodbye on each dead connection, which would be a SIGPIPE.
        let output = try await Probe.run([server.url(), Scene.authority.file, "50"])
        #expect(output.hasPrefix("answered 200"))
        #expect(server.requests.count >= 50)
    }

    @Test func `a proxy that is named sees where to, and nothing of the request`() async throws {
        let server = Scene.server(answering: "x")
        let proxy = TestServer { peer in
            guard peer.readRequest() != nil else { return }
            peer.write("HTTP/1.1 503 No\r\nSet-Cookie: a\r\nContent-Length: 0\r\n\r\n")
        }
        defer {
            server.stop()
            proxy.stop()
        }
        var request = Scene.request(
            server.url("/secret"), body: "secret", headers: [OutboundField("Authorization", "Bearer secret")])
        request.proxy = "http://127.0.0.1:\(proxy.port)"
        let failure = try await Scene().failure(request)
        #expect(failure == OutboundFailure(.connectFailed, wasSent: false))
        let seen = try #require(proxy.requests.first)
        #expect(seen.line == "CONNECT localhost:\(server.port) HTTP/1.1")
        #expect(!seen.fields.contains { $0.contains("secret") })
        #expect(server.connections == 0)
    }
}
