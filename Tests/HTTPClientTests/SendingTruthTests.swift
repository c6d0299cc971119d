import Glibc
import HTTPClient
import Testing
import VerificationCore

/// `wasSent` is `false` only where that is certain.
struct SendingTruthTests {
    private static let quick = OutboundLimits(connectTimeout: .seconds(1), totalTimeout: .seconds(60))

    @Test func `a port nobody listens on was sent nothing`() async throws {
        let server = Scene.server(answering: "x")
        server.stop()
        let failure = try await Scene().failure(Scene.request(server.url(), body: "x"))
        #expect(failure == OutboundFailure(.connectFailed, wasSent: false))
    }

    @Test func `a name without an address was sent nothing`() async throws {
        let failure = try await Scene().failure(Scene.request("https://nobody.invalid/", body: "x"))
        #expect(failure == OutboundFailure(.dnsFailed, wasSent: false))
    }

    @Test func `a server that never finishes the handshake was sent nothing, and costs the connect deadline`()
        async throws
    {
        let server = TestServer { peer in while !peer.receive().isEmpty {} }
        defer { server.stop() }
        let start = ContinuousClock.now
        let failure = try await Scene().failure(
            Scene.request(server.url("/", scheme: "https"), body: "secret", limits: Self.quick))
        #expect(failure == OutboundFailure(.timedOutBeforeSending, wasSent: false))
        #expect((.milliseconds(900) ... .seconds(30)).contains(ContinuousClock.now - start))
    }

    @Test func `a server that resets in the handshake was sent nothing`() async throws {
        let server = TestServer { peer in
            _ = peer.receive()
            peer.reset()
        }
        defer { server.stop() }
        let failure = try await Scene().failure(Scene.request(server.url("/", scheme: "https"), body: "x"))
        #expect(failure?.wasSent == false)
        #expect(failure?.code == .tlsFailed)
    }

    @Test func `once the connection stands nobody knows what was sent`() async throws {
        // One server reads nothing at all, one a part, one everything.
        for amount in [0, 1, 1 << 20] {
            let server = Scene.server { peer in
                if amount > 0 { _ = peer.receive(amount) }
                peer.reset()
            }
            defer { server.stop() }
            for policy in [ConnectionPolicy.reuse, .fresh] {
                let failure = try await Scene().failure(Scene.request(server.url(), policy, body: "x"))
                #expect(failure == OutboundFailure(.connectionLost, wasSent: true))
            }
        }
    }

    @Test func `a deadline that passes after sending says so`() async throws {
        let server = Scene.server { peer in
            _ = peer.readRequest()
            _ = peer.receive()
        }
        defer { server.stop() }
        let limits = OutboundLimits(connectTimeout: .seconds(3), totalTimeout: .seconds(3))
        for policy in [ConnectionPolicy.reuse, .fresh] {
            let start = ContinuousClock.now
            let failure = try await Scene().failure(Scene.request(server.url(), policy, body: "x", limits: limits))
            #expect(failure == OutboundFailure(.timedOut, wasSent: true))
            #expect((.milliseconds(2950) ... .seconds(30)).contains(ContinuousClock.now - start))
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        "http://localhost:PORT/", "HTTP://127.0.0.1:PORT/", "https://user@localhost:PORT/",
        "https://user:secret@localhost:PORT/", "https://localhost:PORT/#fragment", "https://localhost:PORT/a b",
        "https://localhost:PORT/\r\nX: y", "https://localhost:PORT/\u{0}", "https://localhost:PORT/\u{3042}",
        "//localhost:PORT/", "localhost:PORT", "", "https://", "https:///path", "ftp://localhost:PORT/",
        "file:///etc/passwd", "gopher://localhost:PORT/x", "https://localhost:99999/", "https://localhost:PORT:1/",
        "https://local host/", "dict://localhost:PORT/",
    ])
    func `an address that is not plain https is refused before anything is opened`(_ text: String) async throws {
        let server = TestServer { peer in _ = peer.receive() }
        defer { server.stop() }
        let url = text.replacing("PORT", with: String(server.port))
        let failure = try await Scene().failure(Scene.request(url, body: "x"))
        #expect(failure == OutboundFailure(.requestRefused, wasSent: false))
        #expect(server.connections == 0)
    }

    @Test func `plain text goes to this machine, where it is allowed, and nowhere else`() async throws {
        let server = TestServer { peer in while peer.readRequest() != nil { peer.answer("200 OK", [], "x") } }
        defer { server.stop() }
        let scene = try Scene()
        for host in ["localhost", "127.0.0.1", "LOCALHOST"] {
            var request = Scene.request(server.url("/", host: host), body: "x")
            request.plaintext = .loopback
            #expect(try await scene.client.send(request).text == "x")
        }
        let before = server.requests.count
        for url in [
            "http://example.com/", "http://localhost.example.com/", "http://127.0.0.1.example.com/", "http://[::2]/",
            "http://10.0.0.1/", "http://0.0.0.0:\(server.port)/", "http://2130706433.example/", "http://128.0.0.1/",
        ] {
            var request = Scene.request(url, body: "x")
            request.plaintext = .loopback
            #expect(await scene.failure(request) == OutboundFailure(.requestRefused, wasSent: false), "\(url)")
        }
        // What is signed itself may come in plain text from anywhere, but nothing of ours goes along.
        var list = Scene.request(server.url())
        list.plaintext = .signedContent
        #expect(try await scene.client.send(list).text == "x")
        list.body = Sensitive([1])
        list.method = "POST"
        #expect(await scene.failure(list) == OutboundFailure(.requestRefused, wasSent: false))
        list = Scene.request(server.url(), headers: [OutboundField("Authorization", "Bearer t")])
        list.plaintext = .signedContent
        #expect(await scene.failure(list) == OutboundFailure(.requestRefused, wasSent: false))
        #expect(server.requests.count == before + 1)
    }

    @Test(arguments: [
        ("X-A", "b\r\nX-Injected: c"), ("X-A", "b\nc"), ("X-A", "b\rc"), ("X-A", "b\u{0}c"), ("X-A", "\u{7F}"),
        ("X-A", "\u{1B}[0m"), ("X-A", "\u{3042}"), ("X A", "b"), ("X-A:", "b"), ("", "b"), ("X-A\r\nX-B", "c"),
        ("X\u{0}", "b"), ("\u{3042}", "b"), ("Host", "evil"), ("content-length", "0"), ("Transfer-Encoding", "chunked"),
        ("Connection", "close"), ("Expect", "100-continue"), ("Accept-Encoding", "br"), ("Proxy-Authorization", "x"),
        ("Upgrade", "h2c"), ("TE", "trailers"), ("@/etc/passwd", "x"),
    ])
    func `a field that could be more than a value is refused before anything is opened`(
        _ name: String, _ value: String
    ) async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        let failure = try await Scene().failure(
            Scene.request(server.url(), headers: [OutboundField(name, value)]))
        #expect(failure == OutboundFailure(.requestRefused, wasSent: false))
        #expect(server.connections == 0)
    }

    @Test(arguments: ["", "get", "CONNECT", "TRACE", "POST /x HTTP/1.1\r\nX: y", "GET\u{0}", "OPTIONS"])
    func `a method there is no use for is refused`(_ method: String) async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        var request = Scene.request(server.url())
        request.method = method
        #expect(try await Scene().failure(request) == OutboundFailure(.requestRefused, wasSent: false))
        #expect(server.connections == 0)
    }
}
