import CMicrohttpd

/// libmicrohttpd's event loops. Each is a daemon of its own, for a pool cannot run without a listening socket, and the
/// listening is the warden's, so that limits are ours and stopping needs no `MHD_quiesce_daemon`, which may abort when
/// a worker of a pool is busy.
struct HTTPDaemon: Sendable {
    /// Addresses of `MHD_Daemon`s, which are valid until `stop`.
    private let loops: [UInt]
    /// Keeps the core for the callbacks.
    private let core: ServerCore

    init(threads: Int, connections: Int, core: ServerCore) throws(HTTPServerError) {
        let context = Unmanaged.passRetained(core).toOpaque()
        var loops: [UInt] = []
        for _ in 0..<threads {
            // Connections that are being cut still count for a moment, hence twice as many.
            let loop = sekisho_start_daemon(
                UInt32(clamping: connections * 2), core.limits.connectionMemory, context, Callbacks.target,
                Callbacks.access, Callbacks.completed, Callbacks.connection)
            guard let loop else {
                for loop in loops { MHD_stop_daemon(OpaquePointer(bitPattern: loop)) }
                Unmanaged<ServerCore>.fromOpaque(context).release()
                throw .system(0)
            }
            loops.append(UInt(bitPattern: loop))
        }
        self.loops = loops
        self.core = core
    }

    /// Hands a client over; `false` where it was closed instead.
    func add(_ socket: Int32, _ endpoint: inout Endpoint, turn: Int) -> Bool {
        endpoint.withAddress { address, length in
            MHD_add_connection(OpaquePointer(bitPattern: loops[turn % loops.count]), socket, address, length)
                == MHD_Result.YES
        }
    }

    /// Joins the threads and closes every connection; none may be suspended.
    func stop() {
        for loop in loops { MHD_stop_daemon(OpaquePointer(bitPattern: loop)) }
        Unmanaged.passUnretained(core).release()
    }
}
