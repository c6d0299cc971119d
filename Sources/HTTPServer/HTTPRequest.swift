/// A request that has passed the guard, whole: a handler never sees part of one.
public struct HTTPRequest: Sendable {
    /// The method. A `HEAD` request is given as `GET`; its answer goes out without the body (RFC 9110 §9.3.2).
    public var method: String
    /// Whether the client asked with `HEAD`.
    public var isHead: Bool
    /// The path as it came, percent-encoded, without the query.
    public var path: String
    /// The path's segments, percent-decoded one by one, so that `%2F` stays inside its segment; none for `/`.
    public var segments: [String]
    /// The query's pairs in order, decoded.
    public var query: [(String, String)]
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, raw: these bytes are given once and are what every reader of them must use.
    public var body: [UInt8]
    /// The peer's address as text, without a port: the proxy's where one is in front.
    public var remoteAddress: String

    /// A request for `path`, for tests that need no socket; `segments` and `query` are read from `target`.
    public init?(
        method: String, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        guard let target = RequestTarget(Array(target.utf8)) else { return nil }
        self.init(method: method, target: target, headers: headers, body: body, remoteAddress: remoteAddress)
    }

    init(method: String, target: RequestTarget, headers: HTTPHeaders, body: [UInt8], remoteAddress: String) {
        self.isHead = method == "HEAD"
        self.method = isHead ? "GET" : method
        self.path = target.path
        self.segments = target.segments
        self.query = target.query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }
}
