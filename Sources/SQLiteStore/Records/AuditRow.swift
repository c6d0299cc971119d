import Ledger
import VerificationCore

/// The audit chain's rows.
enum AuditRow {
    /// The most events that one read returns: a read is one statement and must stay short.
    static let readLimit = 10_000

    static let select = """
        SELECT sequence, action, actor, at, session, client, subject, outcome, reason, configuration_version, count,
            previous_hash, hash FROM audit
        """
    private static let insertion = """
        INSERT INTO audit (sequence, action, actor, at, session, client, subject, outcome, reason,
            configuration_version, count, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Puts events at the end of the chain.
    @discardableResult
    static func append(_ drafts: [AuditDraft], _ connection: Connection) throws(StoreError) -> [AuditEvent] {
        guard !drafts.isEmpty else { return [] }
        var last =
            try connection.first("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1") {
                row throws(StoreError) in (sequence: try row.integer(0), hash: try row.blob(1))
            } ?? (sequence: 0, hash: AuditChain.genesis)
        var events: [AuditEvent] = []
        for draft in drafts {
            let event = AuditChain.append(draft, afterSequence: last.sequence, hash: last.hash)
            try connection.execute(
                insertion,
                [
                    .integer(event.sequence), .text(draft.action.rawValue), .text(draft.actor), .time(draft.at),
                    .text(orNull: draft.session?.rawValue), .text(orNull: draft.client?.rawValue),
                    .text(orNull: draft.subject), .text(orNull: draft.outcome), .text(orNull: draft.reason),
                    .text(draft.configurationVersion), .integer(orNull: draft.count), .blob(event.previousHash),
                    .blob(event.hash),
                ])
            events.append(event)
            last = (event.sequence, event.hash)
        }
        return events
    }

    static func read(from sequence: Int64, limit: Int, _ connection: Connection) throws(StoreError) -> [AuditEvent] {
        try read(
            select + " WHERE sequence >= ? ORDER BY sequence LIMIT ?",
            [.integer(sequence), .limit(min(limit, readLimit))], connection)
    }

    /// Events that match, newest first.
    static func read(
        _ filter: AuditFilter, before sequence: Int64?, limit: Int, _ connection: Connection
    ) throws(StoreError) -> [AuditEvent] {
        var conditions: [String] = []
        var values: [SQLValue] = []
        if !filter.actions.isEmpty {
            let names = filter.actions.map(\.rawValue).sorted()
            conditions.append("action IN (\(names.map { _ in "?" }.joined(separator: ", ")))")
            values += names.map { .text($0) }
        }
        let texts = [("actor = ?", filter.actor), ("session = ?", filter.session?.rawValue)]
        for case (let condition, let value?) in texts {
            conditions.append(condition)
            values.append(.text(value))
        }
        let numbers = [
            ("at >= ?", filter.from?.milliseconds), ("at < ?", filter.before?.milliseconds), ("sequence < ?", sequence),
        ]
        for case (let condition, let value?) in numbers {
            conditions.append(condition)
            values.append(.integer(value))
        }
        let clause = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return try read(
            select + clause + " ORDER BY sequence DESC LIMIT ?", values + [.limit(min(limit, readLimit))], connection)
    }

    private static func read(
        _ sql: String, _ values: [SQLValue], _ connection: Connection
    ) throws(StoreError) -> [AuditEvent] {
        try connection.query(sql, values) { row throws(StoreError) in
            var draft = AuditDraft(
                try row.word(1), by: try row.text(2), at: try row.time(3), configurationVersion: try row.text(9))
            draft.session = try row.textOrNull(4).map { SessionID($0) }
            draft.client = try row.textOrNull(5).map { ClientID($0) }
            draft.subject = try row.textOrNull(6)
            draft.outcome = try row.textOrNull(7)
            draft.reason = try row.textOrNull(8)
            draft.count = try row.integerOrNull(10)
            return AuditEvent(
                sequence: try row.integer(0), draft: draft, previousHash: try row.blob(11), hash: try row.blob(12))
        }
    }
}
