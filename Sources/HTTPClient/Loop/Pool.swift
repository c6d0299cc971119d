import CCurl
import VerificationCore

/// What requests must have in common to share connections.
struct PoolKey: Hashable {
    let name: String
    let tls: TLSSettings
    let proxy: String?

    init(_ request: OutboundRequest) {
        name = request.pool
        tls = request.tls
        proxy = request.proxy
    }
}

/// Connections, and the requests on them: one multi handle of libcurl's, which shares nothing with another.
final class Pool {
    /// What a socket is watched for.
    struct Interest {
        let reads: Bool
        let writes: Bool
    }

    private let multi: UnsafeMutableRawPointer
    private let watch: (Pool, Int32, Interest?) -> Void
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var isClosed = false
    /// When the last request came or ended.
    private(set) var lastUse = ContinuousClock.now

    init?(connections: Int, watch: @escaping (Pool, Int32, Interest?) -> Void) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.watch = watch
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard
            sekisho_set_socket_callback(multi, context, Callbacks.socket) == CURLM_OK,
            sekisho_set_pool_number(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)) == CURLM_OK,
            // As many as can be in use at once: with fewer, each that ends would push another out.
            sekisho_set_pool_number(multi, CURLMOPT_MAXCONNECTS, connections) == CURLM_OK
        else {
            close()
            return nil
        }
    }

    var isEmpty: Bool { transfers.isEmpty }

    /// Milliseconds until libcurl wants to be called; `nil` where it waits for sockets alone.
    var wait: Int? {
        var milliseconds = -1
        guard curl_multi_timeout(multi, &milliseconds) == CURLM_OK, milliseconds >= 0 else { return nil }
        return milliseconds
    }

    /// Whether libcurl wants to be called now.
    var isDue: Bool { wait == 0 }

    /// Starts a transfer; `false` where libcurl has no room for it.
    func add(_ transfer: Transfer) -> Bool {
        lastUse = .now
        guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else { return false }
        transfers[transfer.easy] = transfer
        return true
    }

    /// Takes a transfer out, ended or not.
    func remove(_ transfer: Transfer) {
        lastUse = .now
        transfers[transfer.easy] = nil
        curl_multi_remove_handle(multi, transfer.easy)
    }

    /// Tells libcurl what was seen on a socket.
    func act(on socket: Int32, _ action: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, action, &running)
    }

    /// Tells libcurl that time has passed.
    func tick() {
        act(on: -1, 0)
    }

    /// The next transfer that has ended, taken out.
    func nextEnded() -> (transfer: Transfer, code: CURLcode)? {
        var code = CURLE_OK
        while let easy = sekisho_next_ended(multi, &code) {
            guard let transfer = transfers[easy] else { continue }
            remove(transfer)
            return (transfer, code)
        }
        return nil
    }

    /// Called by libcurl.
    func noteInterest(in socket: Int32, _ what: Int32) {
        switch what {
        case CURL_POLL_IN: watch(self, socket, Interest(reads: true, writes: false))
        case CURL_POLL_OUT: watch(self, socket, Interest(reads: false, writes: true))
        case CURL_POLL_INOUT: watch(self, socket, Interest(reads: true, writes: true))
        default: watch(self, socket, nil)
        }
    }

    /// Closes every connection; nothing may be out.
    func close() {
        if isClosed { return }
        isClosed = true
        curl_multi_cleanup(multi)
    }

    deinit {
        close()
    }
}
