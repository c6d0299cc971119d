/// HTTP/2 from the server's side, frame by frame (RFC 9113 section 4.1), as far as the tests need it.
struct HTTP2 {
    struct Frame {
        var type: UInt8
        var flags: UInt8
        var stream: UInt32
        var payload: [UInt8]
    }

    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
    }

    let peer: Peer

    /// Reads the client's preface and sends our settings; `nil` where none comes.
    init?(_ peer: Peer) {
        guard peer.read(exactly: 24).map({ $0.elementsEqual("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) }) == true else {
            return nil
        }
        self.peer = peer
        send(Frame(type: Kind.settings, flags: 0, stream: 0, payload: []))
    }

    func send(_ frame: Frame) {
        let count = frame.payload.count
        peer.write(
            [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), frame.type, frame.flags]
                + Self.bytes(frame.stream) + frame.payload)
    }

    /// The next frame, settings and pings answered.
    func next() -> Frame? {
        while true {
            guard let head = peer.read(exactly: 9) else { return nil }
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard let payload = peer.read(exactly: count) else { return nil }
            let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            let frame = Frame(type: head[3], flags: head[4], stream: stream, payload: payload)
            switch (frame.type, frame.flags & 1) {
            case (Kind.settings, 0): send(Frame(type: Kind.settings, flags: 1, stream: 0, payload: []))
            case (Kind.ping, 0): send(Frame(type: Kind.ping, flags: 1, stream: 0, payload: payload))
            default: return frame
            }
        }
    }

    /// The next stream on which a request has arrived whole.
    func nextRequest() -> UInt32? {
        while let frame = next() {
            if (frame.type == Kind.headers || frame.type == Kind.data) && frame.flags & 1 == 1 { return frame.stream }
        }
        return nil
    }

    /// `:status: 200` (index 8 of the static table of RFC 7541) and a body.
    func answer(_ stream: UInt32, _ body: String = "ok") {
        send(Frame(type: Kind.headers, flags: 4, stream: stream, payload: [0x88]))
        send(Frame(type: Kind.data, flags: 1, stream: stream, payload: Array(body.utf8)))
    }

    /// RST_STREAM with an error code (RFC 9113 section 7).
    func reset(_ stream: UInt32, _ code: UInt32) {
        send(Frame(type: Kind.reset, flags: 0, stream: stream, payload: Self.bytes(code)))
    }

    /// GOAWAY: streams above `last` were not and will not be looked at.
    func goAway(last: UInt32, _ code: UInt32 = 0) {
        send(Frame(type: Kind.goAway, flags: 0, stream: 0, payload: Self.bytes(last) + Self.bytes(code)))
    }

    static func bytes(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }
}
