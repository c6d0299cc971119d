import CTLS
import Glibc

/// A client that knows only TLS and bytes: what the sandbox does to a connection must be seen without a library that
/// repairs it.
final class TLSClient {
    enum Chunk: Equatable {
        case bytes([UInt8])
        case end
        case reset
        case nothing
    }

    struct Failure: Error {}

    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let socket: Int32

    /// Connects and greets, trusting one authority; with a certificate where one is named.
    init(port: UInt16, authority: String, certificate: String? = nil, key: String? = nil) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, let context = SSL_CTX_new(TLS_client_method()) else { throw Failure() }
        guard SSL_CTX_load_verify_file(context, authority) == 1 else { throw Failure() }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        if let certificate, let key {
            guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
                SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
            else { throw Failure() }
        }
        guard let ssl = SSL_new(context), SSL_set_fd(ssl, socket) == 1, SSL_set1_host(ssl, "localhost") == 1,
            SSL_connect(ssl) == 1
        else {
            ERR_clear_error()
            close(socket)
            SSL_CTX_free(context)
            throw Failure()
        }
        self.context = context
        self.ssl = ssl
        self.socket = socket
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
        close(socket)
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
            guard count > 0 else { return ERR_clear_error() }
            sent += Int(count)
        }
    }

    /// What comes within a time.
    func receive(milliseconds: Int) -> Chunk {
        var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        errno = 0
        let count = SSL_read(ssl, &buffer, Int32(buffer.count))
        if count > 0 { return .bytes(Array(buffer[..<Int(count)])) }
        let number = errno
        let reason = SSL_get_error(ssl, count)
        ERR_clear_error()
        if reason == SSL_ERROR_ZERO_RETURN { return .end }
        if number == EAGAIN { return .nothing }
        return number == ECONNRESET ? .reset : .end
    }
}

/// An answer as a test reads it.
struct Reply {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    /// Whether the whole promised body came.
    var isWhole: Bool
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// How an exchange ended without an answer.
enum Silence: Error, Equatable {
    case end, reset, nothing
}

extension TLSClient {
    /// One request and its answer on this connection.
    func exchange(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8] = [],
        milliseconds: Int = 10_000
    ) throws(Silence) -> Reply {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        send(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
        var received: [UInt8] = []
        while true {
            if let reply = Self.read(received), reply.isWhole { return reply }
            switch receive(milliseconds: milliseconds) {
            case .bytes(let bytes): received += bytes
            case .end:
                if let reply = Self.read(received) { return reply }
                throw .end
            case .reset: throw .reset
            case .nothing: throw .nothing
            }
        }
    }

    private static func read(_ bytes: [UInt8]) -> Reply? {
        guard bytes.count >= 4,
            let end = (0...(bytes.count - 4)).first(where: { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) })
        else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        let pairs = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), String((parts.dropFirst().first ?? "").drop { $0 == " " }))
        }
        let headers = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        let body = bytes[(end + 4)...].prefix(length)
        return Reply(status: status, headers: headers, body: Array(body), isWhole: body.count == length)
    }
}
