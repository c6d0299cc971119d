import CMicrohttpd
import Glibc
import Synchronization
import SystemThreads

/// An HTTP/1.1 server that gives whole, unambiguous requests to an asynchronous handler.
///
/// A client that goes away does not stop the handler: what it began is finished and its answer thrown away, so that a
/// submission is never half done. Only `shutdown(grace:)` cancels the tasks that outlast the grace.
public final class HTTPServer: Sendable {
    /// The port it listens on; the system's choice where 0 was asked for.
    public let port: UInt16
    /// The most connections at once: the limit, or what the process's descriptors allow.
    public let capacity: Int

    private let core: ServerCore
    private let daemon: HTTPDaemon
    private let warden: Warden
    private let stage = Mutex(Stage.serving)

    private enum Stage {
        case serving, stopping, stopped
    }

    /// Descriptors that are not for clients: the store, the logs, the sockets that linger after a refusal.
    private static let reservedDescriptors = 512

    /// Listens at a numeric address, and serves at once.
    public init(
        address: String = "127.0.0.1", port: UInt16, limits: HTTPLimits = HTTPLimits(), threads: Int = 2,
        refusal: @escaping @Sendable (HTTPRefusal) -> HTTPResponse,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws(HTTPServerError) {
        let descriptors = Int(clamping: sekisho_raise_descriptor_limit())
        let spare = max(descriptors - Self.reservedDescriptors, descriptors / 2)
        capacity = min(limits.connections, spare)
        guard capacity > 0, threads > 0, limits.connectionsPerAddress > 0 else { throw .limitsUnusable }
        let listener = try Listener(address: address, port: port)
        core = ServerCore(limits: limits, refusal: refusal, handler: handler)
        do {
            daemon = try HTTPDaemon(threads: threads, connections: capacity, core: core)
        } catch {
            _ = Glibc.close(listener.socket)
            throw error
        }
        do {
            warden = try Warden(listener: listener, daemon: daemon, core: core, capacity: capacity)
        } catch {
            _ = Glibc.close(listener.socket)
            daemon.stop()
            throw error
        }
        self.port = listener.port
    }

    /// How many connections are open.
    public var connectionCount: Int { core.table.count }

    /// Stops accepting, lets what runs finish with `Connection: close`, closes what is idle, and returns when all have
    /// gone or the grace is over; what still runs then is cancelled and its connection cut.
    public func shutdown(grace: Duration) async {
        await withCheckedContinuation { continuation in
            // Waiting for threads would block one of the few that run tasks, among them those waited for.
            let started = SystemThread.start { [self] in
                stop(grace: grace)
                continuation.resume()
            }
            if !started {
                stop(grace: .zero)
                continuation.resume()
            }
        }
    }

    deinit {
        stop(grace: .zero)
    }

    private func stop(grace: Duration) {
        let isFirst = stage.withLock { stage in
            guard case .serving = stage else { return false }
            stage = .stopping
            return true
        }
        guard isFirst else {
            while stage.withLock({ if case .stopped = $0 { false } else { true } }) { usleep(1000) }
            return
        }
        let deadline = ContinuousClock.now + grace
        core.isDraining.store(true, ordering: .releasing)
        warden.stopListening()
        while core.table.count > 0 && ContinuousClock.now < deadline {
            for connection in core.table.live { connection.endIfIdle(core) }
            usleep(5000)
        }
        warden.stop()
        // In this order: libmicrohttpd aborts when it is stopped with a connection suspended.
        core.isStopped.store(true, ordering: .sequentiallyConsistent)
        for connection in core.table.live { connection.abandon() }
        daemon.stop()
        stage.withLock { $0 = .stopped }
    }
}
