import Ledger
import VerificationCore

/// The ledger's rows.
enum LedgerRow {
    /// The most events that one read returns: a read is one statement and must stay short.
    static let readLimit = 10_000

    private static let columns = """
        sequence, kind, attempt, role, session, verifier, client, purpose, provider_reference, at, provider_time,
        billable_class, quantity, outcome, certification, configuration_version, settles, previous_hash, hash
        """

    /// Puts events at the end of the chain.
    static func append(_ drafts: [LedgerDraft], _ connection: Connection) throws(StoreError) {
        guard !drafts.isEmpty else { return }
        var last =
            try connection.first("SELECT sequence, hash FROM ledger ORDER BY sequence DESC LIMIT 1") {
                row throws(StoreError) in (sequence: try row.integer(0), hash: try row.blob(1))
            } ?? (sequence: 0, hash: LedgerChain.genesis)
        for draft in drafts {
            let event = LedgerChain.append(draft, afterSequence: last.sequence, hash: last.hash)
            try insert(event, connection)
            last = (event.sequence, event.hash)
        }
    }

    private static func insert(_ event: LedgerEvent, _ connection: Connection) throws(StoreError) {
        let draft = event.draft
        try connection.execute(
            "INSERT INTO ledger (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(event.sequence), .text(draft.kind.rawValue), .text(draft.attempt.rawValue),
                .text(draft.role.rawValue), .text(draft.session.rawValue), .text(draft.verifier.rawValue),
                .text(draft.client.rawValue), .text(draft.purpose.rawValue), .text(orNull: draft.providerReference),
                .time(draft.at), .time(orNull: draft.providerTime), .text(draft.billableClass.rawValue),
                .integer(draft.quantity), .text(orNull: draft.outcome?.rawValue),
                .text(orNull: draft.certification), .text(draft.configurationVersion),
                .integer(orNull: draft.settles), .blob(event.previousHash), .blob(event.hash),
            ])
    }

    static func read(from sequence: Int64, limit: Int, _ connection: Connection) throws(StoreError) -> [LedgerEvent] {
        try connection.query(
            "SELECT \(columns) FROM ledger WHERE sequence >= ? ORDER BY sequence LIMIT ?",
            [.integer(sequence), .integer(Int64(max(0, min(limit, readLimit))))]
        ) { row throws(StoreError) in
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
            return LedgerEvent(
                sequence: try row.integer(0), draft: draft, previousHash: try row.blob(17), hash: try row.blob(18))
        }
    }
}
