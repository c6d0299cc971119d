import HTTPServer
import RawHTTP
import Testing

@Suite(.serialized) struct ShutdownTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    @Test func `what runs is finished with Connection: close, what is idle is closed, and nobody new comes in`()
        async throws
    {
        let echo = try EchoServer(delay: .milliseconds(600))
        let idle = try echo.connect()
        await idle.send(get("/idle"))
        var idleReader = RawReader(idle)
        #expect(await idleReader.next()?.status == 200)
        let silent = try echo.connect()
        let running = try echo.connect()
        await running.send(get("/running"))
        try await Task.sleep(for: .milliseconds(100))
        let began = ContinuousClock.now
        let stopping = Task { await echo.server.shutdown(grace: .seconds(10)) }
        #expect(await idleReader.isClosed(within: .milliseconds(400)))
        #expect(await silent.closes(within: .milliseconds(400)))
        #expect(throws: RawConnection.Failure.self) { try echo.connect() }
        var reader = RawReader(running)
        let answer = await reader.next()
        #expect(answer?.status == 200)
        #expect(answer?["connection"] == "close")
        #expect(await reader.isClosed())
        await stopping.value
        #expect(ContinuousClock.now - began < .seconds(3))
        #expect(echo.server.connectionCount == 0)
    }

    @Test func `what outlasts the grace is cancelled and cut`() async throws {
        let echo = try EchoServer(delay: .seconds(60))
        var running: [RawConnection] = []
        for _ in 0..<50 {
            let connection = try echo.connect()
            await connection.send(get("/a"))
            running.append(connection)
        }
        let slow = try echo.connect()
        await slow.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
        try await Task.sleep(for: .milliseconds(200))
        let began = ContinuousClock.now
        await echo.server.shutdown(grace: .milliseconds(300))
        let took = ContinuousClock.now - began
        #expect(took >= .milliseconds(300) && took < .seconds(3))
        for connection in running + [slow] { #expect(await connection.closes(within: .seconds(1))) }
    }

    @Test func `shutting down twice, at once or again, is shutting down once`() async throws {
        let echo = try EchoServer()
        async let first: Void = echo.server.shutdown(grace: .seconds(1))
        async let second: Void = echo.server.shutdown(grace: .seconds(1))
        _ = await (first, second)
        await echo.server.shutdown(grace: .seconds(1))
    }

    @Test func `a server that is let go of stops, even with requests running`() async throws {
        for _ in 0..<20 {
            let echo = try EchoServer(delay: .milliseconds(50))
            let connections = try (0..<5).map { _ in try echo.connect() }
            for connection in connections { await connection.send(get("/a")) }
        }
    }

    @Test func `a server can be stopped under load, again and again, without a request half answered`() async throws {
        for _ in 0..<10 {
            let echo = try EchoServer()
            let port = echo.server.port
            let load = (0..<8).map { _ in
                Task {
                    var wrong = 0
                    while let connection = try? RawConnection(port: port) {
                        var reader = RawReader(connection)
                        for _ in 0..<5 {
                            await connection.send(get("/a"))
                            guard let answer = await reader.next(patience: .seconds(2)) else { break }
                            if answer.status != 200 || answer.text != "GET /a " { wrong += 1 }
                        }
                    }
                    return wrong
                }
            }
            try await Task.sleep(for: .milliseconds(100))
            await echo.server.shutdown(grace: .seconds(5))
            for task in load { #expect(await task.value == 0) }
            #expect(!echo.requests.isEmpty)
        }
    }
}
