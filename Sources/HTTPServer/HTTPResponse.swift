/// An answer: the server adds `Content-Length`, `Date` and, where it must, `Connection`.
public struct HTTPResponse: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The fields, in order.
    public var headers: [(String, String)]
    /// The body.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether it may go out: a field that could end its line would let a value write an answer of its own.
    var isWellFormed: Bool {
        (200...599).contains(status)
            && headers.allSatisfy { name, value in
                !name.isEmpty && name.utf8.allSatisfy(Bytes.isToken) && value.utf8.allSatisfy(Bytes.isFieldContent)
            }
    }

    /// The fields that are the handler's to set: those of framing are the server's.
    var endToEndHeaders: [(String, String)] {
        headers.filter { name, _ in !Self.framing.contains { HTTPHeaders.equal($0, name) } }
    }

    /// Whether the handler asked for the connection to be closed.
    var closesConnection: Bool {
        headers.contains { HTTPHeaders.equal($0.0, "connection") && HTTPHeaders.equal($0.1, "close") }
    }

    private static let framing = ["connection", "content-length", "transfer-encoding", "keep-alive", "date"]
}
