import Glibc

/// A connection without TLS: the control port, and webhooks on their way to a gateway on this machine.
final class PlainStream: ByteStream {
    private let socket: Int32

    init(_ socket: Int32) {
        self.socket = socket
    }

    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Sockets.chunk)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || errno != EINTR { return [] }
        }
    }

    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Sockets.noSignal) }
            if count > 0 {
                sent += count
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    func finish() {
        _ = shutdown(socket, Int32(SHUT_WR))
    }
}
