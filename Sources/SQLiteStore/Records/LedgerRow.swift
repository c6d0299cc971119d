import Ledger
import VerificationCore

/// The ledger's rows.
enum LedgerRow {
    /// The most events that one read returns: a read is one statement and must stay short.
    static let readLimit = 10_000

    private static let columns = [
        "sequence", "kind", "attempt", "role", "session", "verifier", "client", "purpose", "provider_reference", "at",
        "provider_time", "billable_class", "quantity", "outcome", "certification", "configuration_version", "settles",
        "previous_hash", "hash", "call", "actor", "note", "month", "amount", "currency", "statement",
    ]
    /// Selects events, to be followed by further conditions.
    static let select = "SELECT " + list + " FROM ledger AS l"
    // CROSS JOIN holds SQLite to this order: the few calls first, the ledger by number.
    static let open = """
        SELECT \(list) FROM call_open AS c CROSS JOIN ledger AS l ON l.sequence = c.sequence
        ORDER BY c.sequence LIMIT ?
        """
    static let uncertain = """
        SELECT \(list) FROM call_uncertain AS c CROSS JOIN ledger AS l ON l.sequence = c.sequence
        WHERE c.sequence > ? ORDER BY c.sequence LIMIT ?
        """
    static let ofSession = select + " WHERE l.session = ? ORDER BY l.sequence"

    private static let list = columns.map { "l.\($0)" }.joined(separator: ", ")
    private static let insertion =
        "INSERT INTO ledger (" + columns.joined(separator: ", ") + ") VALUES ("
        + columns.map { _ in "?" }.joined(separator: ", ") + ")"

    /// Puts events at the end of the chain.
    static func append(_ drafts: [LedgerDraft], _ connection: Connection) throws(StoreError) {
        guard !drafts.isEmpty else { return }
        var last =
            try connection.first("SELECT sequence, hash FROM ledger ORDER BY sequence DESC LIMIT 1") {
                row throws(StoreError) in (sequence: try row.integer(0), hash: try row.blob(1))
            } ?? (sequence: 0, hash: LedgerChain.genesis)
        for draft in drafts {
            if let entry = CallEntry(draft), try isTold(entry, connection) { throw .conflict }
            if let month = draft.closedMonth, try isClosed(month, connection) { throw .conflict }
            let event = LedgerChain.append(draft, afterSequence: last.sequence, hash: last.hash)
            try insert(event, connection)
            try UsageRow.take(event, connection)
            last = (event.sequence, event.hash)
        }
    }

    private static func insert(_ event: LedgerEvent, _ connection: Connection) throws(StoreError) {
        let draft = event.draft
        try connection.execute(
            insertion,
            [
                .integer(event.sequence), .text(draft.kind.rawValue), .text(draft.attempt.rawValue),
                .text(draft.role.rawValue), .text(draft.session.rawValue), .text(draft.verifier.rawValue),
                .text(draft.client.rawValue), .text(draft.purpose.rawValue), .text(orNull: draft.providerReference),
                .time(draft.at), .time(orNull: draft.providerTime), .text(draft.billableClass.rawValue),
                .integer(draft.quantity), .text(orNull: draft.outcome?.rawValue),
                .text(orNull: draft.certification), .text(draft.configurationVersion),
                .integer(orNull: draft.settles), .blob(event.previousHash), .blob(event.hash),
                .text(orNull: draft.call?.rawValue), .text(orNull: draft.actor), .text(orNull: draft.note),
                .text(orNull: draft.month), .integer(orNull: draft.amount), .text(orNull: draft.currency),
                .blob(orNull: draft.statement),
            ])
    }

    private static func isClosed(_ month: String, _ connection: Connection) throws(StoreError) -> Bool {
        let found = try connection.first(
            "SELECT 1 FROM ledger WHERE month = ? AND kind = 'closed'", [.text(month)]
        ) { row throws(StoreError) in try row.integer(0) }
        return found != nil
    }

    /// Whether the ledger tells this part of the call already. There is one writer, so nobody comes between.
    private static func isTold(_ entry: CallEntry, _ connection: Connection) throws(StoreError) -> Bool {
        let kinds =
            switch entry.part {
            case .start: "kind = 'started'"
            case .end: "kind IN ('ended', 'uncertain')"
            case .resolution: "kind = 'resolved'"
            }
        let found = try connection.first(
            "SELECT 1 FROM ledger WHERE attempt = ? AND call = ? AND \(kinds)",
            [.text(entry.attempt.rawValue), .text(entry.call.rawValue)]
        ) { row throws(StoreError) in try row.integer(0) }
        return found != nil
    }

    static func read(from sequence: Int64, limit: Int, _ connection: Connection) throws(StoreError) -> [LedgerEvent] {
        try read(
            select + " WHERE l.sequence >= ? ORDER BY l.sequence LIMIT ?",
            [.integer(sequence), .integer(Int64(max(0, min(limit, readLimit))))], connection)
    }

    /// Reads the events that a statement beginning with ``select`` finds.
    static func read(
        _ sql: String, _ values: [SQLValue], _ connection: Connection
    ) throws(StoreError) -> [LedgerEvent] {
        try connection.query(sql, values) { row throws(StoreError) in
            var draft = LedgerDraft(
                kind: try row.word(1), attempt: AttemptID(try row.text(2)), role: try row.word(3),
                session: SessionID(try row.text(4)), verifier: VerifierID(try row.text(5)),
                client: ClientID(try row.text(6)), purpose: PurposeID(try row.text(7)), at: try row.time(9),
                billableClass: try row.word(11), quantity: try row.integer(12), outcome: try row.wordOrNull(13),
                configurationVersion: try row.text(15))
            draft.providerReference = try row.textOrNull(8)
            draft.providerTime = try row.timeOrNull(10)
            draft.certification = try row.textOrNull(14)
            draft.settles = try row.integerOrNull(16)
            draft.call = try row.textOrNull(19).map { CallName(rawValue: $0) }
            draft.actor = try row.textOrNull(20)
            draft.note = try row.textOrNull(21)
            draft.month = try row.textOrNull(22)
            draft.amount = try row.integerOrNull(23)
            draft.currency = try row.textOrNull(24)
            draft.statement = try row.blobOrNull(25)
            return LedgerEvent(
                sequence: try row.integer(0), draft: draft, previousHash: try row.blob(17), hash: try row.blob(18))
        }
    }
}
