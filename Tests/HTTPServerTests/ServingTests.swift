import HTTPServer
import RawHTTP
import Testing

struct ServingTests {
    @Test func `a request is answered, with its body given raw`() async throws {
        let echo = try EchoServer()
        let (answer, isClosed) = try await echo.exchange(
            "POST /v1/sessions?a=1&b=x%20y+z HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
        #expect(answer?.status == 201)
        #expect(answer?.text == "POST /v1/sessions hello")
        #expect(answer?["date"] != nil)
        #expect(!isClosed)
        let request = try #require(echo.requests.first)
        #expect(request.segments == ["v1", "sessions"])
        #expect(request.query.map(\.0) == ["a", "b"] && request.query.map(\.1) == ["1", "x y z"])
        #expect(request.remoteAddress == "127.0.0.1")
        await echo.server.shutdown(grace: .seconds(5))
    }
}
