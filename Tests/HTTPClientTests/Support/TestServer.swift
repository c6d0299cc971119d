import CTLS
import Glibc
import Synchronization

/// A server on loopback that does with each connection exactly what a test says, on a thread for each.
final class TestServer: Sendable {
    /// How the server shows itself over TLS.
    struct TLS: Sendable {
        var identity: TestAuthority.Identity
        /// The application protocols it takes, in order.
        var protocols = ["http/1.1"]
        /// Demands a certificate of this authority.
        var clientAuthority: TestAuthority?
        /// The newest version it speaks.
        var newest = TLS1_3_VERSION

        init(_ identity: TestAuthority.Identity) { self.identity = identity }
    }

    struct Counters: Sendable {
        /// Connections accepted.
        var connections = 0
        /// TLS handshakes finished.
        var handshakes = 0
        /// Bytes of requests received, after TLS.
        var bytes = 0
        /// Whole requests read by ``Peer/readRequest()``.
        var requests: [RawRequest] = []
    }

    let port: UInt16
    let counters = Mutex(Counters())
    private let listener: Int32
    private let isStopping = Atomic(false)
    private let context: UInt
    private let handler: @Sendable (Peer) -> Void

    init(tls: TLS? = nil, _ handler: @escaping @Sendable (Peer) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        self.handler = handler
        context = UInt(bitPattern: tls.flatMap { Self.makeContext($0) })
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 2048) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        precondition(isBound)
        port = UInt16(bigEndian: address.sin_port)
        Self.thread { [self] in acceptAll() }
    }

    /// The address of a path on it.
    func url(_ path: String = "/", host: String = "localhost", scheme: String? = nil) -> String {
        "\(scheme ?? (context == 0 ? "http" : "https"))://\(host):\(port)\(path)"
    }

    var connections: Int { counters.withLock { $0.connections } }
    var handshakes: Int { counters.withLock { $0.handshakes } }
    var bytes: Int { counters.withLock { $0.bytes } }
    var requests: [RawRequest] { counters.withLock { $0.requests } }

    /// Stops listening; connections end when their handlers do.
    func stop() {
        guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func acceptAll() {
        while !isStopping.load(ordering: .acquiring) {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { continue }
            counters.withLock { $0.connections += 1 }
            let order = counters.withLock { $0.connections }
            Self.thread { [self] in
                guard let peer = Peer(socket, context: OpaquePointer(bitPattern: context), server: self, order: order)
                else { return }
                handler(peer)
                peer.close()
            }
        }
    }

    private static func makeContext(_ tls: TLS) -> OpaquePointer? {
        guard let context = SSL_CTX_new(TLS_server_method()) else { return nil }
        let certificate = TestAuthority.readCertificate(tls.identity.certificate)
        let key = TestAuthority.readKey(tls.identity.key)
        defer {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        precondition(SSL_CTX_use_certificate(context, certificate) == 1)
        precondition(SSL_CTX_use_PrivateKey(context, key) == 1)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(tls.newest), nil)
        // So that it can speak TLS 1.1 at all.
        if tls.newest < TLS1_2_VERSION { SSL_CTX_set_cipher_list(context, "DEFAULT@SECLEVEL=0") }
        if let authority = tls.clientAuthority {
            precondition(SSL_CTX_load_verify_locations(context, authority.file, nil) == 1)
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        let takesHTTP2 = tls.protocols.contains("h2")
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, length, offered, count, takesHTTP2 in
                guard let chosen, let length, let offered else { return SSL_TLSEXT_ERR_NOACK }
                var names: [Range<Int>] = []
                var position = 0
                while position < Int(count) {
                    names.append(position + 1..<position + 1 + Int(offered[position]))
                    position += 1 + Int(offered[position])
                }
                let wanted = takesHTTP2 == nil ? "http/1.1" : "h2"
                for name in names where name.map({ offered[$0] }).elementsEqual(wanted.utf8) {
                    chosen.pointee = offered + name.lowerBound
                    length.pointee = UInt8(name.count)
                    return SSL_TLSEXT_ERR_OK
                }
                return SSL_TLSEXT_ERR_NOACK
            }, takesHTTP2 ? UnsafeMutableRawPointer(bitPattern: 1) : nil)
        return context
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func thread(_ run: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 512 << 10)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Work(run)).toOpaque())
        precondition(status == 0)
        pthread_detach(thread)
    }
}

/// A request as the server read it.
struct RawRequest: Sendable {
    /// The request line.
    var line: String
    /// The fields as they came.
    var fields: [String]
    /// The body.
    var body: [UInt8]

    /// The value of the first field of a name, in lower case.
    subscript(_ name: String) -> String? {
        fields.first { $0.lowercased().hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1)).trimmingSpaces }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
