public import VerificationCore

extension SQLiteStore {
    public func append(_ events: [LedgerDraft]) async throws(StoreError) {
        try await writer.run { connection throws(StoreError) in try LedgerRow.append(events, connection) }
    }

    public func ledger(from sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try await reader.run { connection throws(StoreError) in
            try LedgerRow.read(from: sequence, limit: limit, connection)
        }
    }

    public func counts() async throws(StoreError) -> [SessionStatus: Int] {
        try await reader.run { connection throws(StoreError) in try Self.counts(connection) }
    }

    static func counts(_ connection: Connection) throws(StoreError) -> [SessionStatus: Int] {
        let rows = try connection.query("SELECT status, count(*) FROM session GROUP BY status") {
            row throws(StoreError) in (try row.word(0, SessionStatus.self), Int(try row.integer(1)))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    public func incidents() async throws(StoreError) -> [Incident: Int] {
        let rows = try await reader.run { connection throws(StoreError) in
            try connection.query("SELECT name, count FROM incident") { row throws(StoreError) in
                (try row.word(0, Incident.self), Int(try row.integer(1)))
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    public func sealingKeyNames() async throws(StoreError) -> Set<String> {
        try await reader.run { connection throws(StoreError) in try SQLiteStore.sealingKeyNames(connection) }
    }

    static func sealingKeyNames(_ connection: Connection) throws(StoreError) -> Set<String> {
        Set(
            try connection.query(
                """
                SELECT key_name FROM session WHERE key_name IS NOT NULL
                UNION SELECT erase_ticket_key FROM session WHERE erase_ticket_key IS NOT NULL
                UNION SELECT ticket_key FROM outbox WHERE ticket_key IS NOT NULL AND dead_at IS NULL
                """
            ) { row throws(StoreError) in try row.text(0) })
    }

    public func setting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await reader.run { connection throws(StoreError) in try Self.setting(name, connection) }
    }

    public func keepSetting(_ name: String, _ value: [UInt8]) async throws(StoreError) -> [UInt8] {
        try await writer.run { connection throws(StoreError) in
            if let kept = try Self.setting(name, connection) { return kept }
            try connection.execute("INSERT INTO setting (name, value) VALUES (?, ?)", [.text(name), .blob(value)])
            return value
        }
    }

    public func replaceSetting(_ name: String, with value: [UInt8]?) async throws(StoreError) {
        try await writer.run { connection throws(StoreError) in
            guard let value else {
                try connection.execute("DELETE FROM setting WHERE name = ?", [.text(name)])
                return
            }
            try connection.execute(
                "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [.text(name), .blob(value)])
        }
    }

    static func setting(_ name: String, _ connection: Connection) throws(StoreError) -> [UInt8]? {
        try connection.first("SELECT value FROM setting WHERE name = ?", [.text(name)]) { row throws(StoreError) in
            try row.blob(0)
        }
    }
}
