import CMicrohttpd
import Glibc
import Synchronization

/// Sockets that are read a little longer after their refusal was written.
///
/// Closing a socket whose client is still sending makes the kernel reset the connection, and a reset takes the refusal
/// with it. So a copy of the socket is kept, and what still arrives is thrown away (RFC 9112 §9.6).
final class Lingering: Sendable {
    private struct Entry {
        var socket: Int32
        var until: ContinuousClock.Instant
        var allowance: Int
    }

    /// How long a client gets to notice, how much it may still send, and how many may do so at once.
    private static let patience: Duration = .seconds(2)
    private static let allowance = 16 << 20
    private static let capacity = 256

    private let entries = Mutex<[Entry]>([])

    /// Keeps a copy of a socket that is about to be closed.
    func keep(_ socket: Int32, now: ContinuousClock.Instant) {
        entries.withLock { entries in
            guard entries.count < Self.capacity else { return }
            let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return }
            entries.append(Entry(socket: copy, until: now + Self.patience, allowance: Self.allowance))
        }
    }

    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    /// Reads what is there, and closes what has ended or waited long enough.
    func sweep(now: ContinuousClock.Instant) {
        entries.withLock { entries in
            var kept: [Entry] = []
            for var entry in entries {
                let ended = Self.discard(entry.socket, allowance: &entry.allowance)
                if ended || now >= entry.until || entry.allowance <= 0 {
                    _ = Glibc.close(entry.socket)
                } else {
                    kept.append(entry)
                }
            }
            entries = kept
        }
    }

    func closeAll() {
        entries.withLock { entries in
            for entry in entries { _ = Glibc.close(entry.socket) }
            entries.removeAll()
        }
    }

    /// Whether the client has closed its side.
    private static func discard(_ socket: Int32, allowance: inout Int) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            while allowance > 0 {
                let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count == 0 { return true }
                if count < 0 { return errno != EAGAIN && errno != EINTR }
                allowance -= count
            }
            return false
        }
    }
}
