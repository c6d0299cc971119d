import CCurl

/// What libcurl calls, on the loop's thread, while the loop calls libcurl. The contexts are a `Transfer` and a `Pool`,
/// which the loop keeps alive until libcurl has let go of them.
enum Callbacks {
    static let body: sekisho_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // Any other number than it gave ends the transfer.
        return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    static let head: sekisho_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    static let beforeRequest: sekisho_before_request_callback = { context, remote, _, _, _ in
        guard let context else { return CURL_PREREQFUNC_ABORT }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let peer = remote.map { String(cString: $0) } ?? ""
        return transfer.maySend(to: peer) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    static let socket: sekisho_socket_callback = { _, socket, what, context, _ in
        guard let context else { return 0 }
        Unmanaged<Pool>.fromOpaque(context).takeUnretainedValue().noteInterest(in: socket, what)
        return 0
    }
}
