import HTTPServer
import RawHTTP
import Testing

struct ServingTests {
    @Test func `a request is answered, with its parts decoded`() async throws {
        let echo = try EchoServer()
        let (answer, isClosed) = try await echo.exchange(
            "POST /v1/a%2Fb/%E5%B1%B1?a=1&b=x%20y+z HTTP/1.1\r\nHost: x\r\nX-Name: \u{5c71}\r\nContent-Length: 5\r\n\r\nhello"
        )
        #expect(answer?.status == 201)
        #expect(answer?.text == "POST /v1/a%2Fb/%E5%B1%B1 hello")
        #expect(answer?["date"]?.hasSuffix(" GMT") == true)
        #expect(!isClosed)
        let request = try #require(echo.requests.first)
        #expect(request.segments == ["v1", "a/b", "山"])
        #expect(request.query.map(\.0) == ["a", "b"] && request.query.map(\.1) == ["1", "x y z"])
        #expect(request.headers["x-nAme"] == "山")
        #expect(request.remoteAddress == "127.0.0.1")
        await echo.server.shutdown(grace: .seconds(5))
    }

    @Test func `a header value that is not UTF-8 is read as ISO 8859-1`() async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send(Array("GET /a HTTP/1.1\r\nHost: x\r\nX-A: ".utf8) + [0xe9] + Array("\r\n\r\n".utf8))
        var reader = RawReader(connection)
        #expect(await reader.next()?.status == 200)
        #expect(echo.requests.first?.headers["X-A"] == "é")
    }

    @Test func `requests sent ahead are answered in order`() async throws {
        let echo = try EchoServer(delay: .milliseconds(20))
        let connection = try echo.connect()
        await connection.send(
            (1...3).map { "POST /\($0) HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\($0)" }.joined())
        var reader = RawReader(connection)
        for number in 1...3 { #expect(await reader.next()?.text == "POST /\(number) \(number)") }
        #expect(echo.requests.count == 3)
    }

    @Test func `HEAD is GET without the body`() async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("HEAD /large HTTP/1.1\r\nHost: x\r\n\r\nGET /after HTTP/1.1\r\nHost: x\r\n\r\n")
        var reader = RawReader(connection)
        let head = await reader.next(head: true)
        #expect(head?.status == 200)
        #expect(head?["content-length"] == "\(3 << 20)")
        #expect(await reader.next()?.text == "GET /after ")
        #expect(echo.requests.map(\.method) == ["GET", "GET"])
        #expect(echo.requests.map(\.isHead) == [true, false])
    }

    @Test func `a refused HEAD has no body either`() async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("HEAD /a HTTP/1.1\r\n\r\n")
        var reader = RawReader(connection)
        #expect(await reader.next(head: true)?.status == 400)
        #expect(await reader.isClosed())
    }

    @Test func `a large answer arrives whole, though it is read slowly`() async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        try await Task.sleep(for: .milliseconds(300))
        var reader = RawReader(connection)
        let answer = await reader.next()
        #expect(answer?.body.count == 3 << 20)
        #expect(answer?.body.allSatisfy { $0 == 0x61 } == true)
    }

    @Test func `an answer without content has none`() async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("GET /silent HTTP/1.1\r\nHost: x\r\n\r\nGET /after HTTP/1.1\r\nHost: x\r\n\r\n")
        var reader = RawReader(connection)
        #expect(await reader.next()?.status == 204)
        #expect(await reader.next()?.text == "GET /after ")
    }

    @Test func `an answer whose header would end its line is not sent`() async throws {
        let echo = try EchoServer()
        let (answer, _) = try await echo.exchange("GET /splitting HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer?.status == 500)
        #expect(answer?["set-cookie"] == nil && answer?["x-bad"] == nil)
    }

    @Test func `a handler may close the connection, and so may the client`() async throws {
        let echo = try EchoServer()
        let (closing, closed) = try await echo.exchange("GET /closing HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(closing?.status == 200 && closing?["connection"] == "close" && closed)
        let (asked, closedToo) = try await echo.exchange("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(asked?.status == 200 && closedToo)
    }

    @Test func `S05 a bad request and then a good one, a hundred times, with nothing left over`() async throws {
        let echo = try EchoServer()
        for number in 1...100 {
            let bad = try echo.connect()
            await bad.send("POST /\(number) HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n")
            var refusal = RawReader(bad)
            #expect(await refusal.next()?.status == 413)
            #expect(await refusal.isClosed())
            let good = try echo.connect()
            await good.send("POST /\(number) HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na")
            var reader = RawReader(good)
            #expect(await reader.next()?.text == "POST /\(number) a")
        }
        #expect(echo.requests.count == 100)
    }

    /// What the gateway refuses, unlike what the guard refuses, leaves the connection in step.
    @Test func `S05 a request the handler refuses leaves the connection usable, a hundred pairs on one`() async throws {
        let server = try HTTPServer(
            port: 0, refusal: { HTTPResponse(status: $0.status) },
            handler: { HTTPResponse(status: $0.path == "/bad" ? 400 : 200, body: $0.body) })
        let connection = try RawConnection(port: server.port)
        var reader = RawReader(connection)
        for number in 1...100 {
            let body = String(repeating: "b", count: number * 100)
            await connection.send("POST /bad HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
            #expect(await reader.next()?.status == 400)
            await connection.send("HEAD /bad HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await reader.next(head: true)?.status == 400)
            await connection.send("GET /good HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await reader.next()?.status == 200)
        }
        await server.shutdown(grace: .seconds(5))
    }

    @Test func `a client that goes away does not stop what it began`() async throws {
        let (stream, finished) = AsyncStream.makeStream(of: Bool.self)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let gate = EchoServer.Gate()
        let server = try HTTPServer(
            port: 0, refusal: { HTTPResponse(status: $0.status) },
            handler: { _ in
                arrived.yield()
                await gate.pass()
                finished.yield(!Task.isCancelled)
                return HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: 1 << 20))
            })
        do {
            let connection = try RawConnection(port: server.port)
            await connection.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na")
            for await _ in arrivals { break }
        }
        // Time to notice that it is gone; with less of it, there is only less to notice.
        try await Task.sleep(for: .milliseconds(300))
        gate.open()
        var results = stream.makeAsyncIterator()
        #expect(await results.next() == true)
        await server.shutdown(grace: .seconds(5))
        #expect(server.connectionCount == 0)
    }
}
