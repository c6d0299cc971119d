/// Why the server could not start.
public enum HTTPServerError: Error, Sendable, Hashable {
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
}
