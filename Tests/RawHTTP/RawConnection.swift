import Glibc

/// A TCP connection on which a test writes exactly the bytes it means to.
///
/// It waits by sleeping, never by blocking, so that the handlers of a server in the same process can run.
public final class RawConnection: Sendable {
    private let socket: Int32

    /// Linux's `MSG_NOSIGNAL`, which the C library declares in a way that only some imports see.
    private static let noSignal: Int32 = 0x4000

    /// What went wrong with the socket itself.
    public struct Failure: Error {
        /// The system's error number.
        public let number: Int32
    }

    /// Connects, from a given loopback address where one is named.
    public init(port: UInt16, to host: String = "127.0.0.1", from source: String? = nil) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(number: errno) }
        self.socket = socket
        if let source {
            guard Self.with(source, 0, { bind(socket, $0, $1) }) == 0 else { throw Failure(number: errno) }
        }
        guard Self.with(host, port, { connect(socket, $0, $1) }) == 0 else { throw Failure(number: errno) }
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        _ = Glibc.close(socket)
    }

    /// Writes all the bytes; stops quietly where the peer has closed, and says how many went.
    @discardableResult
    public func send(_ bytes: [UInt8], patience: Duration = .seconds(10)) async -> Int {
        var sent = 0
        let deadline = ContinuousClock.now + patience
        while sent < bytes.count && ContinuousClock.now < deadline {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Self.noSignal)
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try? await Task.sleep(for: .milliseconds(1))
            } else {
                return sent
            }
        }
        return sent
    }

    /// Writes text.
    @discardableResult
    public func send(_ text: String) async -> Int {
        await send(Array(text.utf8))
    }

    /// Says that nothing more will be written.
    public func finishSending() {
        _ = Glibc.shutdown(socket, Int32(SHUT_WR))
    }

    /// What one read gives.
    public enum Chunk: Sendable {
        /// Bytes.
        case bytes([UInt8])
        /// The peer has closed its side.
        case end
        /// The connection was reset.
        case reset
        /// Nothing came in time.
        case nothing
    }

    /// The next bytes.
    public func receive(patience: Duration) async -> Chunk {
        let deadline = ContinuousClock.now + patience
        while true {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end }
            if errno != EAGAIN && errno != EINTR { return .reset }
            if ContinuousClock.now >= deadline { return .nothing }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Whether the peer closes the connection within a time; what it still sends is thrown away.
    public func closes(within patience: Duration) async -> Bool {
        let deadline = ContinuousClock.now + patience
        while true {
            switch await receive(patience: deadline - .now) {
            case .bytes: continue
            case .end, .reset: return true
            case .nothing: return false
            }
        }
    }

    /// A port that nobody listens on now, for a process that must be told one.
    public static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { _ = Glibc.close(socket) }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard
            with("127.0.0.1", 0, { bind(socket, $0, $1) }) == 0,
            withUnsafeMutablePointer(
                to: &address,
                { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) } }) == 0
        else { throw Failure(number: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func with(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
