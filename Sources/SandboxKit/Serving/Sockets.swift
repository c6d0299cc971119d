import Glibc

/// The few calls of the system that the sandbox needs, and the ways in which it breaks connections.
enum Sockets {
    /// What one read takes at most.
    static let chunk = 64 << 10
    /// Linux's `MSG_NOSIGNAL`, which the C library declares in a way that only some imports see.
    static let noSignal: Int32 = 0x4000
    /// The most connections that the kernel holds ready for us.
    private static let backlog: Int32 = 512

    /// A socket that listens on loopback; port 0 takes a free one.
    static func listen(port: UInt16) throws(SandboxError) -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .system("socket", errno) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard with(port, { bind(socket, $0, $1) }) == 0, Glibc.listen(socket, backlog) == 0 else {
            let reason = errno
            _ = close(socket)
            throw .system("listen on port \(port)", reason)
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// The next client; `nil` where none came within the time.
    static func accept(_ listener: Int32, milliseconds: Int32) -> Int32? {
        guard isReadable(listener, milliseconds: milliseconds) else { return nil }
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        withoutDelay(client)
        return client
    }

    /// A connection to a port of this machine.
    static func connect(port: UInt16) -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        guard with(port, { Glibc.connect(socket, $0, $1) }) == 0 else {
            _ = close(socket)
            return nil
        }
        withoutDelay(socket)
        return socket
    }

    /// Bounds how long a read or a write may wait.
    static func limit(_ socket: Int32, seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Closes with RST instead of FIN: what was not sent is thrown away, and the peer sees a reset.
    static func reset(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the peer has closed or broken the connection, as far as can be told within a time.
    static func isGone(_ socket: Int32, milliseconds: Int32) -> Bool {
        // Linux's `POLLRDHUP`: the peer will send no more.
        let hangup: Int16 = 0x2000
        var entry = pollfd(fd: socket, events: hangup, revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return false }
        return entry.revents & (hangup | Int16(POLLHUP) | Int16(POLLERR)) != 0
    }

    private static func isReadable(_ socket: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    private static func withoutDelay(_ socket: Int32) {
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func with(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
