import Foundation
import HTTPServer
import RawHTTP
import Testing

@Suite(.serialized, .enabled(if: Edge.isAvailable())) struct NginxTests {
    @Test func `HTTP/2 over TLS 1.3 reaches the gateway, and an older TLS does not`() async throws {
        let echo = try EchoServer()
        let edge = try await Edge(gateway: echo.server.port)
        defer { edge.stop() }
        let answer = try await edge.curl([
            "--http2", "-H", "X-Forwarded-For: 203.0.113.9", "-d", "hello", edge.url("/v1/a%2Fb?c=d"),
        ])
        #expect(answer.hasPrefix("HTTP/2 201"))
        #expect(answer.hasSuffix("POST /v1/a%2Fb hello"))
        let request = try #require(echo.requests.first)
        #expect(request.segments == ["v1", "a/b"])
        #expect(request.headers["host"] == "gateway.example.jp")
        #expect(request.headers.values(of: "x-forwarded-for") == ["127.0.0.1"], "a client's own word was believed")
        let older = try await edge.curl(["--tls-max", "1.2", edge.url("/a")])
        #expect(older.isEmpty)
        let stranger = try await edge.curl(["-k", "https://127.0.0.1:\(edge.securePort)/a"])
        #expect(stranger.isEmpty, "another host name was served")
        #expect(echo.requests.count == 1)
    }

    @Test func `what is the operator's is not the world's`() async throws {
        let echo = try EchoServer()
        let edge = try await Edge(gateway: echo.server.port)
        defer { edge.stop() }
        for path in ["/metrics", "/readyz", "/a/../metrics", "//metrics", "/%6detrics"] {
            let answer = try await edge.curl(["--path-as-is", edge.url(path)])
            #expect(answer.hasPrefix("HTTP/2 404"), "\(path)")
        }
        #expect(echo.requests.isEmpty)
    }

    @Test func `a chunked body arrives with a length, and the connection behind is kept`() async throws {
        let echo = try EchoServer()
        let edge = try await Edge(gateway: echo.server.port)
        defer { edge.stop() }
        for _ in 0..<3 {
            let answer = try await edge.curl([
                "--http1.1", "-H", "Transfer-Encoding: chunked", "-H", "Expect:", "-d", "hello", edge.url("/a"),
            ])
            #expect(answer.hasPrefix("HTTP/1.1 201"))
        }
        #expect(echo.requests.map { $0.headers["content-length"] } == ["5", "5", "5"])
        #expect(echo.requests.allSatisfy { $0.headers["transfer-encoding"] == nil })
        #expect(echo.server.connectionCount <= 2)
    }

    @Test func `a provider's invoice may be larger than other bodies, up to the gateway's own limit for one`()
        async throws
    {
        let echo = try EchoServer {
            $0.largeBodies = [HTTPLimits.LargeBody(method: "POST", path: "/v1/usage/reconciliations", bytes: 32 << 20)]
        }
        let edge = try await Edge(gateway: echo.server.port)
        defer { edge.stop() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("invoice-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 0x61, count: 3 << 20).write(to: file)
        func post(_ path: String) async throws -> String {
            try await edge.curl(["-H", "Expect:", "--data-binary", "@\(file.path)", "-o", "/dev/null", edge.url(path)])
        }
        _ = try await post("/v1/usage/reconciliations?month=2026-11")
        #expect(echo.requests.map(\.body.count) == [3 << 20])
        for path in ["/v1/usage", "/v1/usage/reconciliations/x", "/v1/sessions"] { _ = try await post(path) }
        #expect(echo.requests.count == 1)
    }

    @Test func `a body over the limit, and too many requests, are refused in front as problem documents`() async throws
    {
        let echo = try EchoServer()
        // So slowly that no machine is slow enough to stay below it.
        let edge = try await Edge(gateway: echo.server.port) {
            $0.replacingOccurrences(of: "rate=20r/s", with: "rate=1r/s")
        }
        defer { edge.stop() }
        let connection = try RawConnection(port: edge.plainPort)
        await connection.send("POST /a HTTP/1.1\r\nHost: gateway.example.jp\r\nContent-Length: 1048577\r\n\r\n")
        var reader = RawReader(connection)
        let large = await reader.next()
        #expect(large?.status == 413)
        #expect(large?["content-type"] == "application/problem+json")
        #expect(echo.requests.isEmpty)
        let busy = try RawConnection(port: edge.plainPort)
        var busyReader = RawReader(busy)
        var statuses: [Int] = []
        for _ in 0..<120 {
            await busy.send("GET /a HTTP/1.1\r\nHost: gateway.example.jp\r\n\r\n")
            statuses.append(await busyReader.next()?.status ?? 0)
        }
        #expect(statuses.contains(429))
        #expect(Set(statuses).isSubset(of: [200, 429]))
        #expect(statuses.filter { $0 == 200 }.count >= 60)
    }

    @Test func `a gateway that is away is a problem document with a time to come back`() async throws {
        let echo = try EchoServer()
        let edge = try await Edge(gateway: echo.server.port)
        defer { edge.stop() }
        await echo.server.shutdown(grace: .zero)
        let answer = try await edge.curl([edge.url("/a")])
        #expect(answer.hasPrefix("HTTP/2 503"))
        #expect(answer.lowercased().contains("retry-after: 1"))
        #expect(answer.contains("application/problem+json"))
    }

    /// Whatever nginx lets through, it lets through as one request, and never the one hidden behind it.
    @Test func `no head that is read in two ways is two requests behind nginx`() async throws {
        let echo = try EchoServer()
        let edge = try await Edge(gateway: echo.server.port) {
            $0.replacingOccurrences(of: "rate=20r/s", with: "rate=10000r/s")
        }
        defer { edge.stop() }
        var refusedInFront = 0
        for head in HeadCase.refused {
            let before = echo.requests.count
            let connection = try RawConnection(port: edge.plainPort)
            await connection.send(head.bytes.replacingOccurrences(of: "Host: x\r", with: "Host: gateway.example.jp\r"))
            var reader = RawReader(connection)
            _ = await reader.next(patience: .seconds(1))
            // Time for what might have hidden behind it.
            try await Task.sleep(for: .milliseconds(20))
            let arrived = echo.requests.dropFirst(before)
            #expect(arrived.count <= 1, "\(head.name): two requests")
            #expect(!arrived.contains { $0.path == "/smuggled" }, "\(head.name): the hidden request was served")
            for request in arrived {
                #expect(
                    request.headers.fields.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } },
                    "\(head.name): a control character came through")
            }
            if arrived.isEmpty { refusedInFront += 1 }
        }
        #expect(refusedInFront > HeadCase.refused.count / 2)
        // The three rows that are hard for the server alone.
        for (name, bytes, arrives) in [
            ("NUL in a value", "X-A: b\0c\r\n", 0), ("a folded line", "X-A: b\r\n c\r\n", 0),
            ("a bare LF", "X-A: b\nX-B: c\r\n", 1), ("NUL and a bare LF", "X-A: b\0\nX-B: c\r\n", 0),
        ] {
            let before = echo.requests.count
            let connection = try RawConnection(port: edge.plainPort)
            await connection.send("GET /a HTTP/1.1\r\nHost: gateway.example.jp\r\n\(bytes)\r\n")
            var reader = RawReader(connection)
            let answer = await reader.next()
            #expect(echo.requests.count - before == arrives, "\(name)")
            #expect(answer?.status == (arrives == 1 ? 200 : 400), "\(name)")
        }
    }
}
