/// How a request may travel. libcurl sends a request again by itself, a POST too, when a connection it had kept dies
/// before the first byte of the answer: whoever sends something that may bill must say what a repeat would do.
public enum ConnectionPolicy: Sendable, Hashable {
    /// A repeat does no harm (it carries the provider's idempotency key, or only reads): connections are kept, HTTP/2
    /// is welcome, and the request may reach the server more than once, at most ``maximumSends`` times.
    case reuse
    /// A repeat could bill: HTTP/1.1 on a connection of its own, which is closed afterwards. The request is sent once.
    case fresh

    /// How often one request may be handed to a connection. Two kept connections in a row may have died since; a third
    /// try is on a new one, and a server that refuses that as well is not to be asked without end.
    public var maximumSends: Int {
        switch self {
        case .reuse: 3
        case .fresh: 1
        }
    }
}

/// Where a request may go in plain text.
public enum PlaintextPolicy: Sendable, Hashable {
    /// Nowhere: `https` only.
    case refused
    /// To this machine only: `http` to `localhost`, 127.0.0.0/8 or `[::1]`, and only if the connection really ends there.
    case loopback
    /// Anywhere. For what is public and signed itself: a certificate revocation list is commonly fetched over `http`,
    /// and its signature, not the way it came, says whether it is to be believed (RFC 5280 section 8). Requests that
    /// carry a body, a field or a client certificate are refused all the same.
    case signedContent
}
