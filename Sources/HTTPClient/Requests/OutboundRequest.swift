public import VerificationCore

/// One request to another machine. Nothing in it shows in a description.
public struct OutboundRequest: Sendable {
    /// The method, in capital letters.
    public var method: String
    /// The whole address: `https`, without userinfo or fragment.
    public var url: String
    /// The fields, in order. Those that frame the message (`Host`, `Content-Length`, `Transfer-Encoding`,
    /// `Connection`, `Expect`, `Accept-Encoding` …) are the client's own, and refused here.
    public var headers: [OutboundField]
    /// The body; `nil` where there is none.
    public var body: Sensitive<[UInt8]>?
    /// Whether a connection may be shared and the request sent again by the library.
    public var connection: ConnectionPolicy
    /// How long it may take and how large the answer may be.
    public var limits: OutboundLimits
    /// Whom to trust, and who we are.
    public var tls: TLSSettings
    /// The pool whose connections it may share: requests of different pools never meet on one connection. A provider's
    /// verifier identifier, for example.
    public var pool: String
    /// Where plain `http` may go.
    public var plaintext: PlaintextPolicy
    /// The proxy; without one the request goes out directly, whatever the environment says.
    public var proxy: String?

    /// A request.
    public init(
        method: String, url: String, headers: [OutboundField] = [], body: Sensitive<[UInt8]>? = nil,
        connection: ConnectionPolicy, limits: OutboundLimits = OutboundLimits(), tls: TLSSettings = TLSSettings(),
        pool: String, plaintext: PlaintextPolicy = .refused, proxy: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connection = connection
        self.limits = limits
        self.tls = tls
        self.pool = pool
        self.plaintext = plaintext
        self.proxy = proxy
    }
}

extension OutboundRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method alone: an address may carry a person's reference.
    public var description: String { "\(method) ***" }
    /// The method alone.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A field of a request: the name is public, the value may be a credential.
public struct OutboundField: Sendable {
    /// The field's name.
    public let name: String
    /// The field's value.
    public let value: Sensitive<String>

    /// A field whose value is kept out of every description.
    public init(_ name: String, _ value: Sensitive<String>) {
        self.name = name
        self.value = value
    }

    /// A field.
    public init(_ name: String, _ value: String) {
        self.init(name, Sensitive(value))
    }
}
