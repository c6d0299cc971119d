import HTTPServer
import RawHTTP
import TestSupport
import Testing

@Suite(.serialized) struct ShutdownTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n" }

    @Test func `what runs is finished with Connection: close, what is idle is closed, and nobody new comes in`()
        async throws
    {
        let gate = EchoServer.Gate()
        let echo = try EchoServer(gate: gate)
        let idle = try echo.connect()
        await idle.send(get("/idle"))
        var idleReader = RawReader(idle)
        #expect(await idleReader.next()?.status == 200)
        let silent = try echo.connect()
        let running = try echo.connect()
        await running.send(get("/running"))
        #expect(try await echo.arrived(2))
        let began = ContinuousClock.now
        let stopping = Task { await echo.server.shutdown(grace: .seconds(60)) }
        // All this while the other runs.
        #expect(await idleReader.isClosed(within: .seconds(20)))
        #expect(await silent.closes(within: .seconds(20)))
        #expect(throws: RawConnection.Failure.self) { try echo.connect() }
        gate.open()
        var reader = RawReader(running)
        let answer = await reader.next()
        #expect(answer?.status == 200)
        #expect(answer?["connection"] == "close")
        #expect(await reader.isClosed())
        await stopping.value
        #expect(ContinuousClock.now - began < .seconds(50), "it waited for its grace to end")
        #expect(echo.server.connectionCount == 0)
    }

    @Test func `what outlasts the grace is cancelled and cut`() async throws {
        let echo = try EchoServer(gate: EchoServer.Gate())
        var running: [RawConnection] = []
        for _ in 0..<50 {
            let connection = try echo.connect()
            await connection.send(get("/a"))
            running.append(connection)
        }
        let slow = try echo.connect()
        await slow.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
        #expect(try await echo.arrived(50))
        #expect(try await eventually { echo.server.connectionCount == 51 })
        let began = ContinuousClock.now
        await echo.server.shutdown(grace: .milliseconds(300))
        // The gate never opens: what ends is what was cut.
        #expect(ContinuousClock.now - began >= .milliseconds(300))
        for connection in running + [slow] { #expect(await connection.closes(within: .seconds(20))) }
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
                            guard let answer = await reader.next() else { break }
                            if answer.status != 200 || answer.text != "GET /a " { wrong += 1 }
                        }
                    }
                    return wrong
                }
            }
            #expect(try await echo.arrived(100))
            await echo.server.shutdown(grace: .seconds(5))
            for task in load { #expect(await task.value == 0) }
        }
    }
}
