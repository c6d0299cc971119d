/// Why the server could not start.
public enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address is not a numeric IPv4 or IPv6 address.
    case addressInvalid
    /// The address is not one of this machine's.
    case addressUnavailable
    /// Somebody listens there already.
    case addressInUse
    /// The port is one only the superuser may open.
    case permissionDenied
    /// The limits leave no room for a connection.
    case limitsUnusable
    /// The system refused something else; its error number.
    case system(Int32)

    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .addressInvalid: "http.address is not a numeric IPv4 or IPv6 address"
        case .addressUnavailable: "http.address is not an address of this machine"
        case .addressInUse: "another program listens on http.address and http.port already"
        case .permissionDenied: "http.port is one that only the superuser may open"
        case .limitsUnusable: "http.limits leave no room for a connection"
        case .system(let code): "the system refused to listen (error \(code))"
        }
    }
}
