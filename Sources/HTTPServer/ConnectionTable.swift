import Synchronization

/// The open connections, and how many each address has.
final class ConnectionTable: Sendable {
    private struct Table {
        /// Handed to libmicrohttpd, which has not begun with them: their sockets may be closed behind our back.
        var pending: [Int32: Connection] = [:]
        var live: [Int32: Connection] = [:]
        var perAddress: [String: Int] = [:]

        mutating func release(_ address: String) {
            guard let count = perAddress[address] else { return }
            perAddress[address] = count > 1 ? count - 1 : nil
        }
    }

    private let table = Mutex(Table())

    /// Counts a connection in.
    func expect(_ connection: Connection) {
        table.withLock { table in
            // A socket number comes back only after its connection has gone; one that never began goes here.
            if let stale = table.pending.updateValue(connection, forKey: connection.socket) {
                table.release(stale.address)
            }
            table.perAddress[connection.address, default: 0] += 1
        }
    }

    /// The connection libmicrohttpd begins with.
    func begin(_ socket: Int32) -> Connection? {
        table.withLock { table in
            guard let connection = table.pending.removeValue(forKey: socket) else { return nil }
            table.live[socket] = connection
            return connection
        }
    }

    /// Counts out a connection that libmicrohttpd refused.
    func forget(_ connection: Connection) {
        table.withLock { table in
            guard table.pending.removeValue(forKey: connection.socket) != nil else { return }
            table.release(connection.address)
        }
    }

    /// Counts out a connection that is closed.
    func end(_ connection: Connection) {
        table.withLock { table in
            guard table.live.removeValue(forKey: connection.socket) != nil else { return }
            table.release(connection.address)
        }
    }

    var live: [Connection] { table.withLock { Array($0.live.values) } }

    var count: Int { table.withLock { $0.live.count + $0.pending.count } }

    /// Whether libmicrohttpd has yet to begin with some.
    var hasPending: Bool { table.withLock { !$0.pending.isEmpty } }

    func count(of address: String) -> Int { table.withLock { $0.perAddress[address] ?? 0 } }
}
