/// What one request may cost.
public struct OutboundLimits: Sendable, Hashable {
    /// The time for the name, the connection and TLS together.
    public var connectTimeout: Duration
    /// The time for everything, waiting for a turn included.
    public var totalTimeout: Duration
    /// The largest body, counted after decompression.
    public var answerBytes: Int
    /// The largest head, status lines and all heads of provisional answers included.
    public var headerBytes: Int
    /// The most fields in an answer's head.
    public var headerFields: Int

    /// Limits; the defaults are for a provider that answers with a portrait: a megabyte is ten times that.
    public init(
        connectTimeout: Duration = .seconds(5), totalTimeout: Duration = .seconds(30), answerBytes: Int = 1 << 20,
        headerBytes: Int = 32 << 10, headerFields: Int = 128
    ) {
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.answerBytes = answerBytes
        self.headerBytes = headerBytes
        self.headerFields = headerFields
    }
}
