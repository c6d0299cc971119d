import VerificationCore

/// What destroys a session's key for good: its wrapped form and the reference index lie in a slot of one width, in a
/// table whose rows are only ever appended or overwritten in place.
///
/// `secure_delete` alone does not do it: when SQLite balances a B-tree it moves rows to other pages and leaves the
/// bytes of the old place behind, where nothing clears them (measured on 3.40.1: one in a hundred keys survived its
/// row). A row that never grows, shrinks or goes away, in a table that grows at its end only, is never moved.
enum KeySlots {
    /// The width of a slot: a 256-bit key wrapped by AES-GCM takes 60 bytes, by a key management service up to 200.
    static let width = 256

    /// Keeps a wrapped key and a reference index; `nil` where there is neither.
    static func keep(key: [UInt8]?, index: [UInt8]?, _ connection: Connection) throws(StoreError) -> Int64? {
        guard key != nil || index != nil else { return nil }
        var bytes: [UInt8] = []
        for part in [key, index] {
            let length = part?.count ?? 0
            bytes += [part == nil ? 0 : 1, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
            bytes += part ?? []
        }
        guard bytes.count <= width else { throw .internal }
        bytes += [UInt8](repeating: 0, count: width - bytes.count)
        let free = try connection.first("SELECT slot FROM key_slot_free LIMIT 1") { row throws(StoreError) in
            try row.integer(0)
        }
        if let free {
            try connection.execute("DELETE FROM key_slot_free WHERE slot = ?", [.integer(free)])
            try connection.execute("UPDATE key_slot SET bytes = ? WHERE slot = ?", [.blob(bytes), .integer(free)])
            return free
        }
        try connection.execute("INSERT INTO key_slot (bytes) VALUES (?)", [.blob(bytes)])
        return connection.lastRow
    }

    /// Overwrites a slot and gives it free.
    static func destroy(_ slot: Int64, _ connection: Connection) throws(StoreError) {
        try connection.execute("UPDATE key_slot SET bytes = zeroblob(256) WHERE slot = ?", [.integer(slot)])
        try connection.execute("INSERT INTO key_slot_free (slot) VALUES (?)", [.integer(slot)])
    }

    /// What a slot holds.
    static func read(_ bytes: [UInt8]) throws(StoreError) -> (key: [UInt8]?, index: [UInt8]?) {
        var rest = bytes[...]
        var parts: [[UInt8]?] = []
        for _ in 0..<2 {
            guard rest.count >= 3, let there = rest.popFirst(), let high = rest.popFirst(), let low = rest.popFirst()
            else { throw .corrupt }
            let length = Int(high) << 8 | Int(low)
            guard rest.count >= length else { throw .corrupt }
            parts.append(there == 1 ? Array(rest.prefix(length)) : nil)
            rest = rest.dropFirst(length)
        }
        return (parts[0], parts[1])
    }
}
