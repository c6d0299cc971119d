import CMicrohttpd
import Glibc
import Synchronization

/// One client's connection: where it stands, since when, and what has arrived.
///
/// libmicrohttpd's thread, the handler's task and the warden all touch it, so everything that changes is in one mutex.
/// libmicrohttpd closes the socket only after `close()`, so whoever holds the mutex of one that is open may use it.
final class Connection: Sendable {
    let socket: Int32
    let address: String
    let isLoopback: Bool
    /// Which of libmicrohttpd's event loops it is on.
    let loop: Int

    enum Phase {
        /// Between requests.
        case idle
        /// Some of a head has arrived.
        case head
        /// The head has passed the guard; the body is arriving, or there is none.
        case body
        /// The handler has the request; libmicrohttpd has suspended the connection.
        case running
        /// The answer waits for libmicrohttpd's thread.
        case answered(HTTPResponse)
        /// The answer is going out.
        case sending
        /// Refused or timed out: nothing more is read or written.
        case cut
        /// The socket is libmicrohttpd's to close.
        case closed
    }

    struct State {
        var phase: Phase = .idle
        var since: ContinuousClock.Instant
        var requests = 0
        /// What the socket had received when this phase of idleness began.
        var received: UInt64 = 0
        /// The address of the `MHD_Connection`, from start to close.
        var handle: UInt = 0
        var target: [UInt8] = []
        var targetAddress: UInt = 0
        var head: RequestHead?
        var isHead = false
        var body: [UInt8] = []
        /// Whether to read on for a moment after closing, so that a refusal is not lost to a reset.
        var lingers = false
        var task: Task<Void, Never>?
    }

    let state: Mutex<State>

    init(socket: Int32, address: String, isLoopback: Bool, loop: Int, now: ContinuousClock.Instant) {
        self.socket = socket
        self.address = address
        self.isLoopback = isLoopback
        self.loop = loop
        state = Mutex(State(since: now))
    }

    /// Gives the handler's answer to libmicrohttpd's thread; does nothing where the connection has gone meanwhile.
    func finish(_ response: HTTPResponse) {
        state.withLock { state in
            guard case .running = state.phase else { return }
            state.phase = .answered(response)
            state.task = nil
            MHD_resume_connection(OpaquePointer(bitPattern: state.handle))
        }
    }

    /// Ends the connection now; a handler that still runs is told by cancellation, and its answer goes nowhere.
    func abandon() {
        state.withLock { state in
            if case .closed = state.phase { return }
            let wasRunning = if case .running = state.phase { true } else { false }
            state.phase = .cut
            _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
            guard wasRunning else { return }
            state.task?.cancel()
            state.task = nil
            MHD_resume_connection(OpaquePointer(bitPattern: state.handle))
        }
    }
}

extension Connection.State {
    /// Writes a refusal past libmicrohttpd, which cannot answer before a whole request has arrived, and stops.
    mutating func refuse(_ response: HTTPResponse, on socket: Int32) {
        let bytes = WireResponse.bytes(response, withBody: !isHead)
        // One that does not fit the socket's buffer is cut short: the client is not reading.
        _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        phase = .cut
        lingers = true
    }
}
