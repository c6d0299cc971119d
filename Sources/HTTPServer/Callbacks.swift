import CMicrohttpd
import Glibc
import Synchronization

/// What libmicrohttpd calls, on its own threads. `context` is an `EventLoop`, kept alive by `HTTPDaemon`.
enum Callbacks {
    /// libmicrohttpd 0.9.75 refuses a bad `Content-Length` by itself, and then writes the head of its page twice. It
    /// logs before it does so, and that is our moment to refuse instead.
    static let log: MHD_LogCallback = { context, format, _ in
        guard let context, let format, strstr(format, "Content-Length") != nil else { return }
        let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
        let refusal: HTTPRefusal = strstr(format, "Too large") != nil ? .payloadTooLarge : .badRequest(.invalidLength)
        for connection in loop.core.table.live where connection.loop == loop.index {
            connection.refuseLength(refusal, loop.core)
        }
    }

    static let target: sekisho_target_callback = { _, target, connection in
        guard let target, let connection, let owner = Callbacks.owner(connection) else { return nil }
        owner.state.withLock { state in
            if case .cut = state.phase { return }
            // The first request's deadline runs from the opening of the connection.
            if case .idle = state.phase, state.requests > 0 { state.since = .now }
            state.phase = .head
            state.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
            state.targetAddress = UInt(bitPattern: target)
        }
        return nil
    }

    static let access: MHD_AccessHandlerCallback = { context, connection, _, method, version, data, size, _ in
        guard let context, let connection, let method, let version, let size,
            let owner = Callbacks.owner(connection)
        else { return MHD_Result.NO }
        let core = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().core
        if let data, size.pointee > 0 {
            let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
            size.pointee = 0
            return owner.take(bytes, core) ? MHD_Result.YES : MHD_Result.NO
        }
        return owner.advance(connection, method: method, version: version, core) ? MHD_Result.YES : MHD_Result.NO
    }

    static let completed: MHD_RequestCompletedCallback = { context, connection, _, code in
        guard let context, let connection, let owner = Callbacks.owner(connection) else { return }
        let core = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().core
        owner.completeRequest(code, core)
    }

    static let connection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
        guard let context, let connection, let slot else { return }
        let core = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().core
        if sekisho_is_start(event) {
            guard let owner = core.table.begin(sekisho_socket(connection)) else { return }
            owner.state.withLock { $0.handle = UInt(bitPattern: connection) }
            slot.pointee = Unmanaged.passRetained(owner).toOpaque()
        } else if let stored = slot.pointee {
            slot.pointee = nil
            Unmanaged<Connection>.fromOpaque(stored).takeRetainedValue().close(core)
        }
    }

    private static func owner(_ connection: OpaquePointer) -> Connection? {
        sekisho_context(connection).map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }
}
