import CTLS
import HTTPClient
import Testing

struct TLSTests {
    /// Expects a refusal before a byte of the request has left, under both policies.
    private func expectRefusal(
        _ tls: TestServer.TLS?, host: String = "localhost", authority: TestAuthority? = Scene.authority,
        code: OutboundFailure.Code = .tlsFailed, line: Int = #line
    ) async throws {
        let server = TestServer(tls: tls) { peer in
            if tls == nil { peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") } else { _ = peer.readRequest() }
        }
        defer { server.stop() }
        let scene = try Scene()
        for policy in [ConnectionPolicy.reuse, .fresh] {
            let failure = await scene.failure(
                Scene.request(
                    server.url("/", host: host, scheme: "https"), policy, body: "secret", authority: authority))
            #expect(failure == OutboundFailure(code, wasSent: false), "line \(line)")
            #expect(failure?.sends == 0)
        }
        #expect(server.connections == 2, "line \(line)")
        #expect(server.bytes == 0, "line \(line)")
    }

    @Test func `a certificate for another name is refused, and nothing is sent`() async throws {
        try await expectRefusal(TestServer.TLS(Scene.authority.issue("DNS:other.example")))
        try await expectRefusal(TestServer.TLS(Scene.authority.issue("DNS:localhost")), host: "127.0.0.1")
        try await expectRefusal(TestServer.TLS(Scene.authority.issue("DNS:localhost.example,DNS:*.localhost")))
    }

    @Test func `a certificate out of its dates is refused, and nothing is sent`() async throws {
        try await expectRefusal(TestServer.TLS(Scene.authority.issue(days: -10 ... -1)))
        try await expectRefusal(TestServer.TLS(Scene.authority.issue(days: 1...10)))
    }

    @Test func `an authority that is not ours is refused, and nothing is sent`() async throws {
        try await expectRefusal(TestServer.TLS(TestAuthority("Another").issue()))
        // The same name, another key.
        try await expectRefusal(TestServer.TLS(TestAuthority().issue()))
        // Signed by itself.
        let own = TestAuthority("localhost").own
        try await expectRefusal(TestServer.TLS(own))
        // Ours is none of the system's.
        try await expectRefusal(TestServer.TLS(Scene.identity), authority: nil)
    }

    @Test func `a certificate for clients only is refused, and nothing is sent`() async throws {
        try await expectRefusal(TestServer.TLS(Scene.authority.issue(usage: "clientAuth")))
    }

    @Test func `TLS before 1_2 and plain text are refused, and nothing is sent`() async throws {
        var tls = TestServer.TLS(Scene.identity)
        tls.newest = TLS1_1_VERSION
        try await expectRefusal(tls)
        try await expectRefusal(nil)
    }

    @Test func `TLS 1_2 is taken`() async throws {
        var tls = TestServer.TLS(Scene.identity)
        tls.newest = TLS1_2_VERSION
        let server = TestServer(tls: tls) { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        #expect(try await Scene().client.send(Scene.request(server.url())).status == 200)
    }

    @Test func `an authority file that is missing or empty refuses every server`() async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        let scene = try Scene()
        for file in ["/nonexistent/authority.pem", "/dev/null"] {
            var request = Scene.request(server.url())
            request.tls.certificateAuthorityFile = file
            #expect(await scene.failure(request) == OutboundFailure(.tlsFailed, wasSent: false))
        }
        #expect(server.bytes == 0)
    }
}
