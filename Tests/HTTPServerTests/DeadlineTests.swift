import HTTPServer
import RawHTTP
import TestSupport
import Testing

@Suite(.serialized) struct DeadlineTests {
    /// Before any other deadline of the server, and long after the one that is tested, however slow the machine is.
    private static let soon = Duration.seconds(8)

    /// Sends one byte every 50 ms until the peer closes; how long that took.
    private func drip(_ bytes: [UInt8], on connection: RawConnection, after first: String) async -> Duration {
        await connection.send(first)
        let began = ContinuousClock.now
        for byte in bytes {
            if await connection.send([byte]) == 0 { break }
            if case .end = await connection.receive(patience: .milliseconds(50)) { break }
        }
        return .now - began
    }

    @Test func `S07 a head that comes byte by byte is cut at its deadline, and told so`() async throws {
        let echo = try EchoServer { $0.headDeadline = .milliseconds(600) }
        for first in ["G", "GET /a HTTP/1.1\r\nHost: x\r\nX-A: "] {
            let connection = try echo.connect()
            let time = Task { await drip([UInt8](repeating: 0x61, count: 200), on: connection, after: first) }
            var reader = RawReader(connection)
            let slow = try echo.connect()
            await slow.send(first)
            var slowReader = RawReader(slow)
            #expect(await slowReader.next()?.status == 408)
            #expect(await slowReader.isClosed())
            let took = await time.value
            #expect(took > .milliseconds(500) && took < Self.soon, "cut after \(took)")
            _ = await reader.next(patience: .milliseconds(10))
        }
        #expect(echo.requests.isEmpty)
    }

    @Test func `a connection that says nothing is closed without a word`() async throws {
        let echo = try EchoServer { $0.headDeadline = .milliseconds(600) }
        let connection = try echo.connect()
        guard case .end = await connection.receive(patience: Self.soon) else {
            Issue.record("bytes, or still open")
            return
        }
    }

    @Test(arguments: ["Content-Length: 1000", "Transfer-Encoding: chunked"])
    func `S07 a body that comes byte by byte is cut at its deadline, and told so`(_ framing: String) async throws {
        let echo = try EchoServer { $0.bodyDeadline = .milliseconds(1500) }
        let connection = try echo.connect()
        await connection.send("POST /a HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n")
        let began = ContinuousClock.now
        if framing.hasPrefix("T") { await connection.send("ff\r\n") }
        for _ in 0..<8 {
            await connection.send("a")
            try await Task.sleep(for: .milliseconds(50))
        }
        var reader = RawReader(connection)
        #expect(await reader.next()?.status == 408)
        #expect(await reader.isClosed())
        let took = ContinuousClock.now - began
        #expect(took > .milliseconds(1300) && took < Self.soon, "cut after \(took)")
        #expect(echo.requests.isEmpty)
    }

    @Test func `trailers without end are cut at the body's deadline`() async throws {
        let echo = try EchoServer { $0.bodyDeadline = .milliseconds(600) }
        let connection = try echo.connect()
        await connection.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n")
        #expect(await connection.closes(within: Self.soon))
        #expect(echo.requests.isEmpty)
    }

    @Test func `an idle connection is closed after its time, without a word`() async throws {
        let echo = try EchoServer { $0.idle = .milliseconds(600) }
        let connection = try echo.connect()
        // Idle is what comes after the answer, so it has not begun yet.
        let began = ContinuousClock.now
        await connection.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        var reader = RawReader(connection)
        #expect(await reader.next()?.status == 200)
        #expect(await reader.isClosed(within: .seconds(20)))
        let took = ContinuousClock.now - began
        #expect(took > .milliseconds(500) && took < .seconds(20))
    }

    @Test func `the head of a later request has its deadline from its first byte`() async throws {
        let echo = try EchoServer {
            $0.idle = .seconds(60)
            $0.headDeadline = .milliseconds(800)
        }
        let connection = try echo.connect()
        await connection.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        var reader = RawReader(connection)
        #expect(await reader.next()?.status == 200)
        // Longer than the deadline: waiting between requests is not being slow.
        try await Task.sleep(for: .milliseconds(1200))
        await connection.send("GET /b HT")
        #expect(await reader.next(patience: Self.soon)?.status == 408)
        #expect(await reader.isClosed())
    }

    @Test func `an answer nobody reads is given up`() async throws {
        let echo = try EchoServer { $0.answerDeadline = .milliseconds(600) }
        let connection = try echo.connect()
        for _ in 0..<8 { await connection.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n") }
        #expect(try await eventually { echo.server.connectionCount == 0 })
        _ = connection
    }

    @Test func `S07 a thousand slow connections do not keep health from answering`() async throws {
        let echo = try EchoServer { $0.headDeadline = .seconds(8) }
        var slow: [RawConnection] = []
        for number in 0..<1000 {
            let connection = try echo.connect()
            await connection.send(number.isMultiple(of: 2) ? "GET /a HT" : "POST /a HTTP/1.1\r\nHost: x\r\nContent-")
            slow.append(connection)
        }
        var besides: [Int] = []
        for _ in 0..<20 {
            let (answer, _) = try await echo.exchange("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer?.status == 200)
            besides.append(echo.server.connectionCount)
            await slow.randomElement()?.send("a")
        }
        #expect((besides.first ?? 0) > 900, "health had to wait until the slow ones were cut: \(besides)")
        let areCut = try await eventually { echo.server.connectionCount == 0 }
        #expect(areCut, "the slow ones were not cut")
        #expect(echo.requests.count == 20)
    }
}
