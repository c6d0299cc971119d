import HTTPServer
import RawHTTP
import Testing

/// A head on the wire, and what must become of it.
struct HeadCase: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: String
    var status: Int
    /// The refusal's kind; `nil` where libmicrohttpd refuses by itself, with its own page.
    var kind: String?

    var testDescription: String { name }

    init(_ name: String, _ bytes: String, _ status: Int, _ kind: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.status = status
        self.kind = kind
    }

    private static func post(_ headers: String, _ body: String = "") -> String {
        "POST /a HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\(body)"
    }

    private static func get(_ headers: String) -> String { "GET /a HTTP/1.1\r\nHost: x\r\n\(headers)\r\n" }

    /// A request that would be answered if what stands before it hid it.
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

    static let refused: [HeadCase] = [
        // Framing (RFC 9112 §6.1, §6.3).
        HeadCase(
            "Content-Length with Transfer-Encoding",
            post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + smuggled), 400,
            "length_and_encoding"),
        HeadCase(
            "Transfer-Encoding with Content-Length",
            post("Transfer-Encoding: chunked\r\nContent-Length: 40\r\n", "0\r\n\r\n" + smuggled), 400,
            "length_and_encoding"),
        HeadCase(
            "two different Content-Lengths", post("Content-Length: 5\r\nContent-Length: 0\r\n", smuggled), 400,
            "repeated_length"),
        HeadCase(
            "two equal Content-Lengths", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello" + smuggled), 400,
            "repeated_length"),
        HeadCase(
            "a list of Content-Lengths", post("Content-Length: 5, 5\r\n", "hello" + smuggled), 400, "invalid_length"),
        HeadCase("Content-Length with a plus", post("Content-Length: +2\r\n", "{}" + smuggled), 400, "invalid_length"),
        HeadCase("a negative Content-Length", post("Content-Length: -1\r\n", smuggled), 400, "invalid_length"),
        HeadCase(
            "a hexadecimal Content-Length", post("Content-Length: 0x2\r\n", "{}" + smuggled), 400, "invalid_length"),
        HeadCase("an empty Content-Length", post("Content-Length:\r\n", smuggled), 400, "invalid_length"),
        HeadCase("a Content-Length with a space", post("Content-Length: 1 2\r\n", smuggled), 400, "invalid_length"),
        HeadCase(
            "a Content-Length beyond 64 bits", post("Content-Length: 99999999999999999999999\r\n"), 413,
            "payloadTooLarge"),
        HeadCase(
            "Content-Length of 2^64 - 1", post("Content-Length: 18446744073709551615\r\n"), 413, "payloadTooLarge"),
        HeadCase("Content-Length of 2^63", post("Content-Length: 9223372036854775808\r\n"), 413, "payloadTooLarge"),
        HeadCase(
            "Transfer-Encoding: xchunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 400,
            "transfer_encoding"),
        HeadCase(
            "Transfer-Encoding: identity", post("Transfer-Encoding: identity\r\n", smuggled), 400,
            "transfer_encoding"),
        HeadCase(
            "Transfer-Encoding: gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400,
            "transfer_encoding"),
        HeadCase(
            "Transfer-Encoding: chunked, chunked", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 400,
            "transfer_encoding"),
        HeadCase(
            "Transfer-Encoding twice",
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"),
            400, "transfer_encoding"),
        HeadCase(
            "Transfer-Encoding: chunked and a blank", post("Transfer-Encoding: chunked \r\n", "0\r\n\r\n"), 400,
            "transfer_encoding"),
        HeadCase("an empty Transfer-Encoding", post("Transfer-Encoding:\r\n", smuggled), 400, "transfer_encoding"),
        HeadCase(
            "Transfer-Encoding in HTTP/1.0",
            "POST /a HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "transfer_encoding"),
        // Names (RFC 9112 §5.1).
        HeadCase("a space before the colon", post("Content-Length : 5\r\n", "hello"), 400, "header_name"),
        HeadCase("a space before Content-Length", post(" Content-Length: 5\r\n", "hello"), 400),
        HeadCase("a tab before the colon", get("X-A\t: b\r\n"), 400, "header_name"),
        HeadCase("a bad byte in a name", get("X(A): b\r\n"), 400, "header_name"),
        HeadCase("a byte beyond ASCII in a name", get("X-é: b\r\n"), 400, "header_name"),
        HeadCase("an empty name", get(": b\r\n"), 400, "lines"),
        HeadCase("a line without a colon", get("nonsense\r\n"), 400),
        HeadCase("a name with a NUL", get("X\0A: b\r\n"), 400),
        // Values.
        HeadCase("a NUL in a value", get("X-A: b\0c\r\n"), 400, "lines"),
        HeadCase("a NUL at the start of a value", get("X-A: \0c\r\n"), 400, "lines"),
        HeadCase("a NUL at the end of a value", get("X-A: b\0\r\n"), 400, "lines"),
        HeadCase("a NUL at the end of the last value but one", get("X-A: b\0\r\nX-B: c\r\n"), 400, "lines"),
        HeadCase("a CR in a value", get("X-A: b\rc\r\n"), 400, "header_value"),
        HeadCase("a header ended by CR alone", get("X-A: b\rX-B: c\r\n"), 400, "header_value"),
        HeadCase("a control character in a value", get("X-A: b\u{1}c\r\n"), 400, "header_value"),
        HeadCase("DEL in a value", get("X-A: b\u{7f}\r\n"), 400, "header_value"),
        // Lines.
        HeadCase("a bare LF after a header", get("X-A: b\nX-B: c\r\n"), 400, "lines"),
        HeadCase(
            "a bare LF that hides a length", get("X-A: b\nContent-Length: 45\r\n") + smuggled, 400, "lines"),
        HeadCase("a bare LF after the request line", "GET /a HTTP/1.1\nHost: x\r\n\r\n", 400, "lines"),
        HeadCase("a bare LF at the end of the head", "GET /a HTTP/1.1\r\nHost: x\r\n\n", 400, "lines"),
        HeadCase("bare LFs throughout", "GET /a HTTP/1.1\nHost: x\n\n", 400, "lines"),
        HeadCase("a folded line", get("X-A: b\r\n c\r\n"), 400, "lines"),
        HeadCase("a line folded with a tab", get("X-A: b\r\n\tc\r\nX-B: d\r\n"), 400, "lines"),
        HeadCase(
            "a folded Transfer-Encoding", post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"), 400, "lines"),
        HeadCase("a folded line of nothing", get("X-A: b\r\n \r\n"), 400, "lines"),
        // The request line.
        HeadCase("two spaces before the target", "GET  /a HTTP/1.1\r\nHost: x\r\n\r\n", 400, "lines"),
        HeadCase("a space in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("a target that is no path", "GET a HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("an absolute target", "GET http://x/a HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("an asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("a fragment", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("bytes beyond ASCII in the target", "GET /é HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("a NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "lines"),
        HeadCase("a bad escape", "GET /a%2 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("a bad escape in the query", "GET /a?b=%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("an escaped NUL", "GET /a%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("an escape that is not UTF-8", "GET /a%ff HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("a parent folder", "GET /a/../b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("an escaped parent folder", "GET /a/%2e%2E/b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "target"),
        HeadCase("an unknown method", "BREW /a HTTP/1.1\r\nHost: x\r\n\r\n", 501, "unsupportedMethod"),
        HeadCase("a method in lower case", "get /a HTTP/1.1\r\nHost: x\r\n\r\n", 501, "unsupportedMethod"),
        HeadCase("TRACE", "TRACE /a HTTP/1.1\r\nHost: x\r\n\r\n", 501, "unsupportedMethod"),
        HeadCase("CONNECT", "CONNECT /a HTTP/1.1\r\nHost: x\r\n\r\n", 501, "unsupportedMethod"),
        HeadCase("a later minor version", "GET /a HTTP/1.2\r\nHost: x\r\n\r\n", 505, "unsupportedVersion"),
        HeadCase("HTTP/2.0 in words", "GET /a HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        HeadCase("a version in lower case", "GET /a http/1.1\r\nHost: x\r\n\r\n", 400),
        // Host (RFC 9112 §3.2).
        HeadCase("no Host", "GET /a HTTP/1.1\r\n\r\n", 400, "host"),
        HeadCase("two Hosts", get("Host: y\r\n"), 400, "host"),
        HeadCase("an empty Host", "GET /a HTTP/1.1\r\nHost:\r\n\r\n", 400, "host"),
        HeadCase("a Host with a path", "GET /a HTTP/1.1\r\nHost: x/y\r\n\r\n", 400, "host"),
        HeadCase("a Host with a user", "GET /a HTTP/1.1\r\nHost: u@x\r\n\r\n", 400, "host"),
        // Expectations (RFC 9110 §10.1.1).
        HeadCase("an unknown expectation", post("Expect: tea\r\n"), 417, "unsupportedExpectation"),
        // Sizes.
        HeadCase(
            "a long target", "GET /\(String(repeating: "a", count: 5000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414,
            "targetTooLong"),
        HeadCase("a long header", get("X-A: \(String(repeating: "a", count: 17000))\r\n"), 431, "headersTooLarge"),
        HeadCase("many headers", get(String(repeating: "X-A: b\r\n", count: 64)), 431, "headersTooLarge"),
        HeadCase("a head that never fits", get("X-A: \(String(repeating: "a", count: 1 << 20))\r\n"), 431),
        HeadCase("a target that never fits", "GET /\(String(repeating: "a", count: 1 << 20))", 414),
        HeadCase("a declared body over the limit", post("Content-Length: 10485761\r\n"), 413, "payloadTooLarge"),
        HeadCase(
            "a body over the limit that awaits leave",
            post("Content-Length: 1048577\r\nExpect: 100-continue\r\n"), 413, "payloadTooLarge"),
    ]

    static let accepted: [HeadCase] = [
        HeadCase("a plain request", get(""), 200),
        HeadCase("no blank after the colon", "GET /a HTTP/1.1\r\nHost:x\r\n\r\n", 200),
        HeadCase("many blanks after the colon", get("X-A: \t  b \t\r\n"), 200),
        HeadCase("empty values", get("X-A:\r\nX-B: \r\n"), 200),
        HeadCase("a value beyond ASCII", get("X-A: 山田\r\n"), 200),
        HeadCase("an empty line before the request", "\r\n" + get(""), 200),
        HeadCase("HTTP/1.0 without Host", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200),
        HeadCase("cookies", get("Cookie: a=b; c=\"d\"\r\nX-A: b\r\n"), 200),
        HeadCase("a query of many forms", "GET /a?b&c=&=d&e=f=g&%41=%42 HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        HeadCase("a Host with port", "GET /a HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", 200),
        HeadCase("sixty-three more headers", get(String(repeating: "X-A: b\r\n", count: 63)), 200),
        HeadCase("Content-Length with leading zeros", post("Content-Length: 005\r\n", "hello"), 201),
        HeadCase("Content-Length of nothing", post("Content-Length: 0\r\n"), 201),
        HeadCase("a POST without a body", post(""), 201),
        HeadCase("CHUNKED in capitals", post("Transfer-Encoding: CHUNKED\r\n", "5\r\nhello\r\n0\r\n\r\n"), 201),
    ]
}

struct HeadTests {
    /// Sent whole, and byte by byte where the head is short: the guard must not depend on how the bytes are cut.
    @Test(arguments: HeadCase.refused)
    func `a head that two servers could read in two ways is refused, and the connection closed`(
        _ head: HeadCase
    ) async throws {
        let echo = try EchoServer()
        for isSlow in head.bytes.utf8.count < 400 ? [false, true] : [false] {
            let connection = try echo.connect()
            if isSlow {
                for byte in head.bytes.utf8 { await connection.send([byte]) }
            } else {
                await connection.send(head.bytes)
            }
            var reader = RawReader(connection)
            let answer = try #require(await reader.next(), "no answer")
            #expect(answer.status == head.status)
            #expect(answer["connection"] == "close")
            if let kind = head.kind { #expect(answer.text == "{\"code\":\"\(kind)\"}") }
            #expect(await reader.isClosed(), "the connection stayed open")
        }
        #expect(echo.requests.isEmpty, "a handler saw the request")
        await echo.server.shutdown(grace: .zero)
    }

    @Test(arguments: HeadCase.accepted)
    func `a head that is right is taken`(_ head: HeadCase) async throws {
        let echo = try EchoServer()
        for isSlow in [false, true] {
            let connection = try echo.connect()
            if isSlow {
                for byte in head.bytes.utf8 { await connection.send([byte]) }
            } else {
                await connection.send(head.bytes)
            }
            var reader = RawReader(connection)
            #expect(await reader.next()?.status == head.status)
        }
        #expect(echo.requests.count == 2)
        await echo.server.shutdown(grace: .seconds(5))
    }
}
