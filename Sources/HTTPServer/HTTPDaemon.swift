import CMicrohttpd

/// libmicrohttpd's event loops. Each is a daemon of its own, for a pool cannot run without a listening socket, and the
/// listening is the warden's, so that limits are ours and stopping needs no `MHD_quiesce_daemon`, which may abort when
/// a worker of a pool is busy.
struct HTTPDaemon: Sendable {
    /// Addresses of `MHD_Daemon`s, which are valid until `stop`.
    private let loops: [UInt]
    private let contexts: [EventLoop]

    init(threads: Int, connections: Int, core: ServerCore) throws(HTTPServerError) {
        var loops: [UInt] = []
        let contexts = (0..<threads).map { EventLoop(core: core, index: $0) }
        for context in contexts {
            // Connections that are being cut still count for a moment, hence twice as many.
            let loop = sekisho_start_daemon(
                UInt32(clamping: connections * 2), core.limits.connectionMemory,
                Unmanaged.passUnretained(context).toOpaque(), Callbacks.log, Callbacks.target, Callbacks.access,
                Callbacks.completed, Callbacks.connection)
            guard let loop else {
                for loop in loops { MHD_stop_daemon(OpaquePointer(bitPattern: loop)) }
                throw .system(0)
            }
            loops.append(UInt(bitPattern: loop))
        }
        self.loops = loops
        self.contexts = contexts
    }

    /// How many loops there are.
    var count: Int { loops.count }

    /// Hands a client over; `false` where it was closed instead.
    func add(_ socket: Int32, _ endpoint: inout Endpoint, loop: Int) -> Bool {
        endpoint.withAddress { address, length in
            MHD_add_connection(OpaquePointer(bitPattern: loops[loop]), socket, address, length)
                == MHD_Result.YES
        }
    }

    /// Joins the threads and closes every connection; none may be suspended.
    func stop() {
        for loop in loops { MHD_stop_daemon(OpaquePointer(bitPattern: loop)) }
        // The callbacks hold the contexts by address; nothing calls back from here on.
        withExtendedLifetime(contexts) {}
    }
}
