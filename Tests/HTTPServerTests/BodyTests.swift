import HTTPServer
import RawHTTP
import TestSupport
import Testing

struct BodyTests {
    @Test func `S06 the bytes of a body are given once, raw and whole`() async throws {
        let echo = try EchoServer()
        let body = #"{"session":"A","session":"B","\u0073ession":"C"}"# + "\0\r\n\u{feff}"
        let (answer, _) = try await echo.exchange(
            "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer?.status == 201)
        #expect(echo.requests.map(\.body) == [Array(body.utf8)])
    }

    @Test func `a chunked body is joined, its extensions and trailers dropped, and the connection closed after it`()
        async throws
    {
        let echo = try EchoServer()
        let hidden = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
        let (answer, isClosed) = try await echo.exchange(
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: y\r\nHost: z\r\n\r\n" + hidden)
        #expect(answer?.status == 201)
        #expect(answer?["connection"] == "close")
        #expect(answer?.text.hasSuffix(" hello world") == true)
        #expect(isClosed)
        #expect(echo.requests.count == 1, "what followed a chunked body was read as a request")
        #expect(echo.requests.first?.headers["x-trailer"] == nil)
        #expect(echo.requests.first?.headers.values(of: "host") == ["x"])
    }

    /// libmicrohttpd takes a bare LF in a chunk's lines; nothing after such a body is read (decision 0003).
    @Test func `a bare LF in chunks cannot hide a request`() async throws {
        let echo = try EchoServer()
        let (_, isClosed) = try await echo.exchange(
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n"
                + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(isClosed)
        #expect(!echo.requests.contains { $0.path == "/smuggled" })
    }

    @Test(arguments: [
        "0x5\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "-1\r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n",
        "5 \r\nhello\r\n0\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "5\r\nhello0\r\n\r\n", "g\r\nhello\r\n0\r\n\r\n",
        "\r\nhello\r\n0\r\n\r\n", ";a=b\r\nhello\r\n0\r\n\r\n", "fffffffffffffffff\r\nhello\r\n0\r\n\r\n",
    ])
    func `a chunk that is malformed never reaches a handler`(_ chunks: String) async throws {
        let echo = try EchoServer()
        let (answer, isClosed) = try await echo.exchange(
            "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"
                + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.map { (400..<500).contains($0.status) } == true)
        #expect(isClosed)
        #expect(echo.requests.isEmpty)
    }

    @Test(arguments: [1 << 20, (1 << 20) + 1, 11 << 20])
    func `a streamed body is refused when it crosses the limit, and one at the limit is not`(_ size: Int) async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        let block = [UInt8](repeating: 0x61, count: 64 << 10)
        var left = size
        let began = ContinuousClock.now
        while left > 0 {
            let count = min(left, block.count)
            let chunk = Array("\(String(count, radix: 16))\r\n".utf8) + block[..<count] + [13, 10]
            guard await connection.send(chunk) == chunk.count else { break }
            left -= count
        }
        await connection.send("0\r\n\r\n")
        var reader = RawReader(connection)
        let answer = await reader.next()
        #expect(answer?.status == (size > 1 << 20 ? 413 : 201))
        #expect(answer?["connection"] == "close")
        #expect(await reader.isClosed())
        #expect(echo.requests.map(\.body.count) == (size > 1 << 20 ? [] : [size]))
        #expect(ContinuousClock.now - began < .seconds(25), "a deadline ended it, not the limit")
    }

    @Test func `a body over the limit is refused at once, and the refusal outlives what the client goes on sending`()
        async throws
    {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10485761\r\n\r\n")
        await connection.send([UInt8](repeating: 0x61, count: 8 << 20))
        var reader = RawReader(connection)
        #expect(await reader.next()?.status == 413)
        #expect(await reader.isClosed())
    }

    @Test func `leave to send a body is given where it is asked for, and only there`() async throws {
        let echo = try EchoServer()
        let connection = try echo.connect()
        await connection.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        var reader = RawReader(connection)
        #expect(await reader.interim()?.status == 100)
        await connection.send("hello")
        #expect(await reader.interim()?.status == 201)
    }

    @Test func `bodies together over the limit are refused as an overload, and the room comes back`() async throws {
        let echo = try EchoServer { $0.bufferedBytes = 100_000 }
        let holder = try echo.connect()
        await holder.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 90001\r\n\r\n")
        await holder.send([UInt8](repeating: 0x61, count: 90_000))
        let body = String(repeating: "b", count: 20_000)
        let request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n\(body)"
        // Until the server has read what the other sends, there is room.
        var (early, isRefused) = (0, false)
        _ = try await eventually {
            let (answer, isClosed) = try await echo.exchange(request)
            if answer?.status == 201 { early += 1 }
            isRefused = answer?.status == 503 && isClosed
            return isRefused
        }
        #expect(isRefused)
        await holder.send("c")
        var reader = RawReader(holder)
        #expect(await reader.next()?.status == 201)
        #expect(try await eventually { try await echo.exchange(request).answer?.status == 201 })
        #expect(echo.requests.count == early + 2)
    }
}
