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

    /// The defaults.
    public init() {}

    /// The memory one connection may use for its head, and the answer's: libmicrohttpd keeps a record beside each field.
    var connectionMemory: Int { max(64 << 10, 4 * headerBytes) }
}
