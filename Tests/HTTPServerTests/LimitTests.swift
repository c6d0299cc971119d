import HTTPServer
import RawHTTP
import TestSupport
import Testing

@Suite(.serialized) struct LimitTests {
    @Test func `an address has so many connections and no more, another has its own, and room comes back`() async throws
    {
        let echo = try EchoServer {
            $0.connectionsPerAddress = 3
            $0.limitsLoopback = true
        }
        var held: [RawConnection] = []
        for _ in 0..<3 { held.append(try echo.connect()) }
        #expect(await (try echo.connect()).closes(within: .seconds(20)))
        let other = try RawConnection(port: echo.server.port, from: "127.0.0.2")
        await other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        var reader = RawReader(other)
        #expect(await reader.next()?.status == 200)
        #expect(echo.requests.first?.remoteAddress == "127.0.0.2")
        held.removeLast()
        // Two that are held, and the other address's own.
        #expect(try await eventually { echo.server.connectionCount == 3 })
        let (answer, _) = try await echo.exchange("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer?.status == 200)
    }

    @Test func `when all places are taken, the oldest that asks for nothing makes room`() async throws {
        let echo = try EchoServer { $0.connections = 20 }
        let kept = try echo.connect()
        await kept.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n")
        var reader = RawReader(kept)
        #expect(await reader.next()?.status == 200)
        var idle: [RawConnection] = []
        for _ in 0..<60 { idle.append(try echo.connect()) }
        let (answer, _) = try await echo.exchange("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(answer?.status == 200)
        #expect(await idle[0].closes(within: .seconds(20)))
        await kept.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await reader.next()?.status == 200, "one that had been served was put out for one that had not")
        #expect(try await eventually { echo.server.connectionCount <= 21 })
    }

    @Test func `when all places are being served, the next is closed and the served are not`() async throws {
        let gate = EchoServer.Gate()
        let echo = try EchoServer({ $0.connections = 4 }, gate: gate)
        var served: [RawConnection] = []
        for _ in 0..<4 {
            let connection = try echo.connect()
            await connection.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            served.append(connection)
        }
        #expect(try await echo.arrived(4))
        #expect(await (try echo.connect()).closes(within: .seconds(20)))
        gate.open()
        for connection in served {
            var reader = RawReader(connection)
            #expect(await reader.next()?.status == 200)
        }
    }

    /// One path whose bodies may be four times as large as others'.
    private func invoices() throws -> EchoServer {
        try EchoServer {
            $0.bodyBytes = 1 << 10
            $0.bufferedBytes = 1 << 10
            $0.largeBodies = [HTTPLimits.LargeBody(method: "POST", path: "/invoices", bytes: 4 << 10)]
        }
    }

    @Test(arguments: [
        ("POST", "/invoices", 4 << 10, 201), ("POST", "/invoices?a=b", 4 << 10, 201),
        ("POST", "/invoices", (4 << 10) + 1, 413), ("POST", "/other", (1 << 10) + 1, 413),
        ("POST", "/other", 1 << 10, 201), ("PUT", "/invoices", (1 << 10) + 1, 413),
        ("POST", "/invoices/x", (1 << 10) + 1, 413), ("POST", "/%69nvoices", (1 << 10) + 1, 413),
    ])
    func `a body may be larger where it is said, declared or in chunks, and nowhere else`(
        method: String, path: String, size: Int, status: Int
    ) async throws {
        let echo = try invoices()
        let body = String(repeating: "x", count: size)
        let status = method == "PUT" && status == 201 ? 200 : status
        let (declared, _) = try await echo.exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n\(body)")
        #expect(declared?.status == status)
        let (streamed, _) = try await echo.exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
        #expect(streamed?.status == status)
        #expect(echo.requests.count == (status == 413 ? 0 : 2))
    }

    @Test func `large bodies are counted apart: two at once, and they keep nobody else out`() async throws {
        let echo = try invoices()
        var held: [RawConnection] = []
        for _ in 0..<2 {
            let connection = try echo.connect()
            await connection.send("POST /invoices HTTP/1.1\r\nHost: x\r\nContent-Length: 4096\r\n\r\n")
            await connection.send(String(repeating: "x", count: 4095))
            held.append(connection)
        }
        try await Task.sleep(for: .milliseconds(300))
        let body = String(repeating: "x", count: 1 << 10)
        let (third, _) = try await echo.exchange(
            "POST /invoices HTTP/1.1\r\nHost: x\r\nContent-Length: 1024\r\n\r\n\(body)")
        #expect(third?.status == 503)
        let (other, _) = try await echo.exchange(
            "POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 1024\r\n\r\n\(body)")
        #expect(other?.status == 201)
        for connection in held {
            await connection.send("x")
            var reader = RawReader(connection)
            #expect(await reader.next()?.status == 201)
        }
        // Their room comes back.
        let isBack = try await eventually {
            let (again, _) = try await echo.exchange(
                "POST /invoices HTTP/1.1\r\nHost: x\r\nContent-Length: 1024\r\n\r\n\(body)")
            return again?.status == 201
        }
        #expect(isBack)
    }

    @Test func `limits that leave no room are refused at the start`() {
        #expect(throws: HTTPServerError.limitsUnusable) { try EchoServer { $0.connections = 0 } }
    }

    @Test func `a port in use, a name for an address and a foreign address are refused at the start`() throws {
        let first = try EchoServer()
        func open(_ address: String, _ port: UInt16) throws(HTTPServerError) -> HTTPServer {
            try HTTPServer(
                address: address, port: port, refusal: { HTTPResponse(status: $0.status) },
                handler: { _ in HTTPResponse(status: 200) })
        }
        #expect(throws: HTTPServerError.addressInUse) { try open("127.0.0.1", first.server.port) }
        #expect(throws: HTTPServerError.addressInvalid) { try open("localhost", 0) }
        #expect(throws: HTTPServerError.addressUnavailable) { try open("192.0.2.1", 0) }
    }
}
