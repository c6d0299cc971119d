import CMicrohttpd
import Glibc
import Synchronization
import SystemThreads

/// Accepts clients, within the limits, and ends connections that take too long, on one thread.
final class Warden: Sendable {
    private let listener: Listener
    private let daemon: HTTPDaemon
    private let core: ServerCore
    private let capacity: Int
    private let wake: Int32
    private let isStopping = Atomic(false)
    private let hasEnded = Atomic(false)
    private let isDeaf = Atomic(false)

    /// How often deadlines are looked at: a deadline is kept to within this.
    private static let tick: Duration = .milliseconds(250)
    private static let tickMilliseconds: Int32 = 250
    /// How many clients are accepted before deadlines get their turn.
    private static let acceptBatch = 64
    /// How often, and after how many microseconds, it is looked whether an ended connection has gone.
    private static let roomTries = 100
    private static let roomPause: useconds_t = 500

    init(listener: Listener, daemon: HTTPDaemon, core: ServerCore, capacity: Int) throws(HTTPServerError) {
        wake = sekisho_eventfd()
        guard wake >= 0 else { throw .system(errno) }
        self.listener = listener
        self.daemon = daemon
        self.core = core
        self.capacity = capacity
        guard SystemThread.start({ [self] in run() }) else {
            _ = Glibc.close(wake)
            throw .system(EAGAIN)
        }
    }

    /// Waits until nobody new comes in, once the core is draining.
    func stopListening() {
        nudge()
        while !isDeaf.load(ordering: .acquiring) { usleep(1000) }
    }

    private func nudge() {
        eventfd_write(wake, 1)
    }

    /// Ends the thread, and waits for it.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        nudge()
        while !hasEnded.load(ordering: .acquiring) { usleep(1000) }
        _ = Glibc.close(wake)
    }

    private func run() {
        var listens = true
        var nextSweep = ContinuousClock.now
        var turn = 0
        while !isStopping.load(ordering: .acquiring) {
            if listens && core.isDraining.load(ordering: .acquiring) {
                _ = Glibc.close(listener.socket)
                listens = false
                isDeaf.store(true, ordering: .releasing)
            }
            let isBusy = core.table.count > 0 || !core.lingering.isEmpty
            var waits = [
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listens ? listener.socket : -1, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waits, 2, isBusy ? Self.tickMilliseconds : -1)
            if waits[0].revents != 0 {
                var count: eventfd_t = 0
                eventfd_read(wake, &count)
            }
            if waits[1].revents != 0 { acceptClients(&turn) }
            let now = ContinuousClock.now
            guard now >= nextSweep else { continue }
            nextSweep = now + Self.tick
            for connection in core.table.live { connection.enforce(now: now, core) }
            core.lingering.sweep(now: now)
        }
        if listens { _ = Glibc.close(listener.socket) }
        core.lingering.closeAll()
        hasEnded.store(true, ordering: .releasing)
    }

    private func acceptClients(_ turn: inout Int) {
        for _ in 0..<Self.acceptBatch {
            switch listener.accept() {
            case .failure(let error):
                // Out of descriptors or memory: make room and leave the rest in the kernel's queue for a moment.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.number) {
                    makeRoom()
                    usleep(10_000)
                }
                return
            case .success(let (socket, endpoint)):
                admit(socket, endpoint, &turn)
            }
        }
    }

    private func admit(_ socket: Int32, _ endpoint: Endpoint, _ turn: inout Int) {
        var endpoint = endpoint
        turn = (turn + 1) % daemon.count
        let connection = Connection(
            socket: socket, address: endpoint.text, isLoopback: endpoint.isLoopback, loop: turn, now: .now)
        let isLimited = core.limits.limitsLoopback || !connection.isLoopback
        if isLimited && core.table.count(of: connection.address) >= core.limits.connectionsPerAddress {
            _ = Glibc.close(socket)
            return
        }
        if core.table.count >= capacity && !findRoom() {
            _ = Glibc.close(socket)
            return
        }
        core.table.expect(connection)
        if !daemon.add(socket, &endpoint, loop: turn) { core.table.forget(connection) }
    }

    /// Ends one connection and waits until it has gone; `false` where all are being served.
    private func findRoom() -> Bool {
        var hasEndedOne = false
        for _ in 0..<Self.roomTries where core.table.count >= capacity {
            // What has only just been accepted is to be spared before what has been served, but must have begun first.
            if !hasEndedOne && !(core.table.hasPending && !hasUnserved) {
                hasEndedOne = makeRoom()
                if !hasEndedOne { return false }
            }
            usleep(Self.roomPause)
        }
        return core.table.count < capacity
    }

    private var hasUnserved: Bool { core.table.live.contains { $0.dispensability?.rank == 0 } }

    /// Ends the connection that can best be spared; `false` where all are being served.
    @discardableResult
    private func makeRoom() -> Bool {
        let candidates = core.table.live.compactMap { connection in
            connection.dispensability.map { (connection: connection, rank: $0.rank, since: $0.since) }
        }
        guard let spared = candidates.min(by: { ($0.rank, $0.since) < ($1.rank, $1.since) }) else { return false }
        spared.connection.makeRoom(core)
        return true
    }
}
