import Foundation
import Synchronization

/// A small server of HTTP/1.1, one thread for each connection: it must be able to misbehave at any byte.
final class ByteServer: Sendable {
    /// The most connections at once; the next ones wait in the kernel's queue.
    static let mostConnections = 512
    /// How long a connection may wait for its client.
    static let idleSeconds = 120
    /// How often a thread that waits looks whether the server stops.
    private static let tick: Int32 = 50

    /// The port that it listens on.
    let port: UInt16
    private let listener: Int32
    private let tls: TLSContext?
    private let greet: @Sendable () -> Bool
    private let handle: @Sendable (Request) -> Delivery
    private let live = Mutex(Live())
    /// Held down while the accepting thread runs.
    private let accepting = DispatchGroup()

    private struct Live {
        var sockets: Set<Int32> = []
        var isStopping = false
    }

    /// A server on a port of loopback, not started yet.
    ///
    /// - Parameters:
    ///   - greet: Asked for each connection; `false` breaks it before a byte of it is read.
    ///   - handle: Answers a request; it runs on the connection's thread and may take its time.
    init(
        port: UInt16, tls: TLSContext?, greet: @escaping @Sendable () -> Bool = { true },
        handle: @escaping @Sendable (Request) -> Delivery
    ) throws(SandboxError) {
        (listener, self.port) = try Sockets.listen(port: port)
        self.tls = tls
        self.greet = greet
        self.handle = handle
    }

    /// Begins to take connections.
    func start() {
        accepting.enter()
        Self.thread { [self] in
            acceptAll()
            accepting.leave()
        }
    }

    /// Ends all connections and waits until none is left.
    func stop() {
        live.withLock { live in
            live.isStopping = true
            // The threads own their sockets; this only wakes them.
            for socket in live.sockets { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
        accepting.wait()
        while live.withLock({ !$0.sockets.isEmpty }) { usleep(1000) }
    }

    private var isStopping: Bool { live.withLock { $0.isStopping } }

    private func acceptAll() {
        while !isStopping {
            if live.withLock({ $0.sockets.count }) >= Self.mostConnections {
                usleep(1000)
                continue
            }
            guard let socket = Sockets.accept(listener, milliseconds: Self.tick) else { continue }
            live.withLock { live in
                live.sockets.insert(socket)
                if live.isStopping { _ = shutdown(socket, Int32(SHUT_RDWR)) }
            }
            Self.thread { [self] in
                serve(socket)
                live.withLock { live in
                    live.sockets.remove(socket)
                    _ = close(socket)
                }
            }
        }
        _ = close(listener)
    }

    private func serve(_ socket: Int32) {
        Sockets.limit(socket, seconds: Self.idleSeconds)
        guard greet() else { return Sockets.reset(socket) }
        guard let tls else { return serve(PlainStream(socket), socket, hasClientCertificate: false) }
        guard let stream = TLSStream(tls, socket: socket) else { return }
        serve(stream, socket, hasClientCertificate: stream.hasClientCertificate)
    }

    private func serve(_ stream: any ByteStream, _ socket: Int32, hasClientCertificate: Bool) {
        var reader = RequestReader(stream)
        while !isStopping, var request = reader.next() {
            request.hasClientCertificate = hasClientCertificate
            let goesOn = deliver(handle(request), stream, socket, keepAlive: request.keepsAlive)
            guard goesOn else { return }
        }
        stream.finish()
    }

    /// Whether the connection may carry another request.
    private func deliver(_ delivery: Delivery, _ stream: any ByteStream, _ socket: Int32, keepAlive: Bool) -> Bool {
        switch delivery {
        case .answer(let answer):
            guard stream.write(answer.encoded(keepAlive: keepAlive)) else { return false }
            if !keepAlive { stream.finish() }
            return keepAlive
        case .later(let milliseconds, let next):
            guard wait(milliseconds, socket) else { return false }
            return deliver(next, stream, socket, keepAlive: keepAlive)
        case .silence:
            while !isStopping, !Sockets.isGone(socket, milliseconds: Self.tick) {}
        case .reset:
            Sockets.reset(socket)
        case .cut(let answer):
            let bytes = answer.encoded(keepAlive: false)
            _ = stream.write(Array(bytes.dropLast(max(1, answer.body.count / 2))))
        }
        return false
    }

    /// Waits, and gives up early where the server stops.
    private func wait(_ milliseconds: Int, _ socket: Int32) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {
            if isStopping { return false }
            usleep(UInt32(min(Int(Self.tick), milliseconds)) * 1000)
        }
        return true
    }

    private static func thread(_ work: @escaping @Sendable () -> Void) {
        Thread {
            // libssl writes with write(2): to a client that left, that would end the whole program.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            work()
        }.start()
    }
}
