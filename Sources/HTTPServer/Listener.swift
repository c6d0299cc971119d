import CMicrohttpd
import Glibc

/// A listening socket, and what is accepted from it.
struct Listener: Sendable {
    let socket: Int32
    let port: UInt16

    /// The most connections the kernel holds ready for us.
    private static let backlog: Int32 = 1024

    init(address: String, port: UInt16) throws(HTTPServerError) {
        guard var endpoint = Endpoint(address, port: port) else { throw .addressInvalid }
        let socket = Glibc.socket(
            endpoint.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .system(errno) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let bound = endpoint.withAddress { bind(socket, $0, $1) }
        guard bound == 0, listen(socket, Self.backlog) == 0, let port = Endpoint.ofSocket(socket)?.port else {
            let reason = errno
            _ = Glibc.close(socket)
            switch reason {
            case EADDRINUSE: throw .addressInUse
            case EADDRNOTAVAIL: throw .addressUnavailable
            case EACCES: throw .permissionDenied
            default: throw .system(reason)
            }
        }
        self.socket = socket
        self.port = port
    }

    /// The next client, or the error number.
    func accept() -> Result<(socket: Int32, endpoint: Endpoint), AcceptError> {
        var endpoint = Endpoint()
        let client = endpoint.withMutableAddress {
            sekisho_accept(socket, $0, $1)
        }
        return client >= 0 ? .success((client, endpoint)) : .failure(AcceptError(number: errno))
    }

    struct AcceptError: Error {
        let number: Int32
    }
}
