import CTLS
import Glibc
import Synchronization

/// One connection, from the server's side. Everything blocks.
final class Peer {
    /// Which connection of the server's it is, from 1.
    let order: Int
    private let socket: Int32
    private let ssl: OpaquePointer?
    private let server: TestServer
    private var buffer: [UInt8] = []
    private var isClosed = false

    init?(_ socket: Int32, context: OpaquePointer?, server: TestServer, order: Int) {
        self.socket = socket
        self.server = server
        self.order = order
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard let context else {
            ssl = nil
            return
        }
        ssl = SSL_new(context)
        SSL_set_fd(ssl, socket)
        guard SSL_accept(ssl) == 1 else {
            close()
            return nil
        }
        server.counters.withLock { $0.handshakes += 1 }
    }

    /// The application protocol that was agreed on.
    var applicationProtocol: String {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// More bytes, or none where the other side has ended.
    func receive(_ most: Int = 64 << 10) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = ssl.map { Int(SSL_read($0, &bytes, Int32(most))) } ?? recv(socket, &bytes, most, 0)
        guard count > 0 else { return [] }
        server.counters.withLock { $0.bytes += count }
        return Array(bytes[..<count])
    }

    /// Exactly so many bytes, or `nil` where the other side has ended before.
    func read(exactly count: Int) -> [UInt8]? {
        while buffer.count < count {
            let more = receive()
            if more.isEmpty { return nil }
            buffer += more
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// The next whole request, or `nil` where none comes.
    func readRequest() -> RawRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = buffer.indices.first(where: { buffer[$0...].starts(with: end) }) {
                let lines = String(decoding: buffer[..<head], as: UTF8.self)
                    .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
                var request = RawRequest(line: lines[0], fields: Array(lines.dropFirst()), body: [])
                let length = request["content-length"].flatMap { Int($0) } ?? 0
                buffer.removeFirst(head + 4)
                guard let body = read(exactly: length) else { return nil }
                request.body = body
                server.counters.withLock { [request] in $0.requests.append(request) }
                return request
            }
            let more = receive()
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        if let ssl { return SSL_write(ssl, bytes, Int32(bytes.count)) == bytes.count }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0x4000) }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// A whole answer with a length.
    @discardableResult
    func answer(_ status: String = "200 OK", _ fields: [String] = [], _ body: String = "") -> Bool {
        answer(status, fields, Array(body.utf8))
    }

    @discardableResult
    func answer(_ status: String, _ fields: [String], _ body: [UInt8]) -> Bool {
        let head = (["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)"]).joined(separator: "\r\n")
        return write(Array((head + "\r\n\r\n").utf8) + body)
    }

    /// Ends the connection with a reset.
    func reset() {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        guard !isClosed else { return }
        isClosed = true
        _ = Glibc.close(socket)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let ssl, SSL_is_init_finished(ssl) != 0 { SSL_shutdown(ssl) }
        _ = Glibc.close(socket)
    }

    deinit {
        close()
        SSL_free(ssl)
    }
}
