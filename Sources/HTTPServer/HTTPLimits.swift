/// What one client may cost, and all together.
public struct HTTPLimits: Sendable {
    /// The largest body. The largest submission is a portrait of 60 kB, sealed and in base64: a megabyte is ample.
    public var bodyBytes = 1 << 20
    /// The largest head, request line and all.
    public var headerBytes = 16 << 10
    /// The longest request target.
    public var targetBytes = 4 << 10
    /// The most header fields.
    public var headerFields = 64
    /// The time from the first byte of a request (or the opening of the connection) to the end of its head.
    public var headDeadline: Duration = .seconds(10)
    /// The time from the end of the head to the end of the body, however steadily it comes.
    public var bodyDeadline: Duration = .seconds(30)
    /// The time in which a client must have taken its answer.
    public var answerDeadline: Duration = .seconds(60)
    /// How long a connection may stay open between requests; longer than the proxy keeps its own, so that it closes first.
    public var idle: Duration = .seconds(75)
    /// The most connections at once; fewer where the process may not open as many descriptors.
    public var connections = 4096
    /// The most connections from one address.
    public var connectionsPerAddress = 256
    /// Whether loopback counts as an address too: behind the proxy every client comes from there.
    public var limitsLoopback = false
    /// The most bytes of request bodies held at once, over all connections.
    public var bufferedBytes = 64 << 20
    /// Requests whose bodies may be larger than others', by method and path as it is sent.
    public var largeBodies: [LargeBody] = []

    /// A request that carries a file.
    public struct LargeBody: Sendable, Hashable {
        /// The method.
        public let method: String
        /// The path, without a query.
        public let path: String
        /// The largest body.
        public let bytes: Int

        /// A request that carries a file.
        public init(method: String, path: String, bytes: Int) {
            self.method = method
            self.path = path
            self.bytes = bytes
        }
    }

    /// As many large bodies as are held at once, at their largest. They come from few people, and are counted apart from
    /// the others, so that nobody who sends them can keep out whoever sends the others.
    static let largeBodiesAtOnce = 2

    /// The most bytes of large bodies held at once.
    var largeBufferedBytes: Int { (largeBodies.map(\.bytes).max() ?? 0) * Self.largeBodiesAtOnce }

    /// What the body of a request may be, where it may be larger than others'.
    func largeBody(_ method: String, _ path: String) -> Int? {
        largeBodies.first { $0.method == method && $0.path == path }?.bytes
    }

    /// The defaults.
    public init() {}

    /// The memory one connection may use for its head, and the answer's: libmicrohttpd keeps a record beside each field.
    var connectionMemory: Int { max(64 << 10, 4 * headerBytes) }
}
