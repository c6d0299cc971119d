import CMicrohttpd
import Glibc
import Synchronization

/// A request's way through a connection; each of these runs on libmicrohttpd's thread.
extension Connection {
    /// A head is complete, or a whole request is, or its answer is there. `false` ends the connection.
    func advance(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, _ core: ServerCore
    ) -> Bool {
        state.withLock { state in
            switch state.phase {
            case .head:
                let raw = HeadReader.read(
                    connection, method: method, version: version, target: state.target,
                    targetAddress: state.targetAddress)
                do throws(RefusalError) {
                    state.head = try core.requestGuard.examine(raw)
                } catch {
                    state.isHead = raw.method.elementsEqual("HEAD".utf8)
                    state.refuse(core.answer(to: error.refusal), on: socket)
                    return false
                }
                state.isHead = state.head?.method == "HEAD"
                state.phase = .body
                state.since = .now
                return true
            case .body:
                return start(connection, &state, core)
            case .answered(let response):
                return answer(connection, response, &state, core)
            case .running, .sending:
                return true
            case .idle, .cut, .closed:
                return false
            }
        }
    }

    /// Refuses the length of a head that is complete and has not been examined, if this connection has one.
    func refuseLength(_ refusal: HTTPRefusal, _ core: ServerCore) {
        state.withLock { state in
            // libmicrohttpd knows a head's size from its completion on, and calls `advance` only if it likes the length:
            // so this is the one connection of its loop, on whose thread we are, that it is about to refuse.
            guard case .head = state.phase, let connection = OpaquePointer(bitPattern: state.handle),
                sekisho_head_size(connection) > 0
            else { return }
            state.refuse(core.answer(to: refusal), on: socket)
            _ = Glibc.shutdown(socket, Int32(SHUT_WR))
        }
    }

    /// Bytes of the body. `false` ends the connection.
    func take(_ bytes: UnsafeRawBufferPointer, _ core: ServerCore) -> Bool {
        state.withLock { state in
            guard case .body = state.phase else { return false }
            let refusal: HTTPRefusal
            let largeBody = state.head?.largeBody
            if state.body.count + bytes.count > largeBody ?? core.limits.bodyBytes {
                refusal = .payloadTooLarge
            } else if !core.reserve(bytes.count, isLarge: largeBody != nil) {
                refusal = .overloaded
            } else {
                state.body.append(contentsOf: bytes)
                return true
            }
            state.refuse(core.answer(to: refusal), on: socket)
            return false
        }
    }

    private func start(_ connection: OpaquePointer, _ state: inout sending State, _ core: ServerCore) -> Bool {
        guard let head = state.head, !core.isStopped.load(ordering: .sequentiallyConsistent) else { return false }
        let request = HTTPRequest(
            method: head.method, target: head.target, headers: head.headers, body: state.body, remoteAddress: address)
        state.phase = .running
        MHD_suspend_connection(connection)
        let handler = core.handler
        state.task = Task { self.finish(await handler(request)) }
        return true
    }

    private func answer(
        _ connection: OpaquePointer, _ response: HTTPResponse, _ state: inout sending State, _ core: ServerCore
    ) -> Bool {
        let response = response.isWellFormed ? response : core.answer(to: .internalFailure)
        guard let reply = response.body.withUnsafeBytes({ sekisho_response($0.baseAddress, $0.count) }) else {
            return false
        }
        defer { MHD_destroy_response(reply) }
        for (name, value) in response.endToEndHeaders { MHD_add_response_header(reply, name, value) }
        // What follows a chunked body is not read as a request, whoever may have counted its chunks otherwise.
        let closes =
            response.closesConnection || state.head?.isChunked != false
            || core.isDraining.load(ordering: .acquiring)
        if closes {
            MHD_add_response_header(reply, "Connection", "close")
        }
        state.phase = .sending
        state.since = .now
        return MHD_queue_response(connection, UInt32(response.status), reply) == MHD_Result.YES
    }

    /// An answer is out, or the request ended without one.
    func completeRequest(_ code: MHD_RequestTerminationCode, _ core: ServerCore) {
        state.withLock { state in
            core.release(state.body.count, isLarge: state.head?.largeBody != nil)
            state.body = []
            state.head = nil
            state.isHead = false
            state.target = []
            state.requests += 1
            switch state.phase {
            case .cut, .closed: return
            default: break
            }
            // libmicrohttpd refused it by itself, and its page must not be lost to a reset.
            if sekisho_is_own_refusal(code) { state.lingers = true }
            state.phase = .idle
            state.since = .now
            state.received = sekisho_bytes_received(socket)
        }
    }

    private var hasUnread: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    /// The last that is heard of a connection; its socket is closed after this.
    func close(_ core: ServerCore) {
        state.withLock { state in
            state.phase = .closed
            core.release(state.body.count, isLarge: state.head?.largeBody != nil)
            state.body = []
            if state.lingers || hasUnread { core.lingering.keep(socket, now: .now) }
        }
        core.table.end(self)
    }
}
