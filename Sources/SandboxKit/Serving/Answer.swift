import JSONTree

/// One answer of HTTP/1.1, with a body of any bytes: nothing here promises that it is right.
struct Answer: Sendable {
    /// The status code.
    var status: Int
    /// The fields besides `Content-Length`, `Date` and `Connection`.
    var headers: [(name: String, value: String)]
    /// The body.
    var body: [UInt8]

    init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON.
    static func json(
        _ status: Int, _ value: JSONValue, headers: [(name: String, value: String)] = [],
        type: String = "application/json"
    ) -> Answer {
        Answer(status, headers: [("Content-Type", type)] + headers, body: value.encoded())
    }

    /// Text of some kind.
    static func text(_ status: Int, _ text: String, type: String = "text/plain; charset=utf-8") -> Answer {
        Answer(status, headers: [("Content-Type", type)], body: Array(text.utf8))
    }

    /// The bytes on the wire.
    func encoded(keepAlive: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Answer.phrase(status))\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        // RFC 9110 section 8.6: a 204 has no Content-Length.
        if status != 204 { head += "Content-Length: \(body.count)\r\n" }
        head += "Connection: \(keepAlive ? "keep-alive" : "close")\r\n\r\n"
        return Array(head.utf8) + body
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}

/// What a connection is to do with a request that it has read.
enum Delivery: Sendable {
    /// Send the answer.
    case answer(Answer)
    /// Wait, then do that.
    indirect case later(milliseconds: Int, Delivery)
    /// Never answer; the connection stays until the client leaves.
    case silence
    /// Break the connection with RST.
    case reset
    /// Promise the whole answer, send a part of the body, and close.
    case cut(Answer)
}
