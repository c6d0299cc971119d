import Ledger
import VerificationCore

/// The rows of calls. Words are numbers here; a number never changes its meaning.
enum UsageRow {
    static let roles: [AttemptRole] = [.primary, .fallback, .shadow]
    static let states: [UsageCall.State] = [.open, .ended, .uncertain, .resolved]
    static let outcomes: [AttemptOutcome] = [.verified, .rejected, .failed]
    static let classes: [BillableClass] = [
        .sessionCreated, .evidenceSubmitted, .completedAny, .completedPass, .completedFail, .resubmission, .statusCheck,
        .dataRefetch, .nonBillable,
    ]

    static let select = """
        SELECT sequence, last_sequence, verifier, client, purpose, role, submission, state, outcome, class, quantity,
            started_at, ended_at, provider_time FROM usage_call
        """

    /// Takes in the event that was just written.
    static func take(_ event: LedgerEvent, _ connection: Connection) throws(StoreError) {
        let draft = event.draft
        if draft.kind == .started { return try start(event, connection) }
        guard UsageCall.State(draft.kind) != nil, let sequence = try start(of: draft, connection) else { return }
        let found = try connection.first(select + " WHERE sequence = ?", [.integer(sequence)]) {
            row throws(StoreError) in try Words().read(row)
        }
        guard var call = found else { return }
        call.take(event)
        try connection.execute(
            """
            UPDATE usage_call SET last_sequence = ?, state = ?, outcome = ?, class = ?, quantity = ?, ended_at = ?,
                provider_time = ?, by_end = ?, by_provider = ? WHERE sequence = ?
            """,
            [
                .integer(call.lastSequence), try number(call.state, in: states),
                try call.outcome.map { outcome throws(StoreError) in try number(outcome, in: outcomes) } ?? .null,
                try number(call.billableClass, in: classes), .integer(call.quantity), .time(orNull: call.endedAt),
                .time(orNull: call.providerTime), .time(call.time(by: .ended)), .time(call.time(by: .provider)),
                .integer(sequence),
            ])
    }

    private static func start(_ event: LedgerEvent, _ connection: Connection) throws(StoreError) {
        let draft = event.draft
        let verifier = try name(draft.verifier.rawValue, connection)
        let client = try name(draft.client.rawValue, connection)
        let purpose = try name(draft.purpose.rawValue, connection)
        guard let call = UsageCall(starting: event, verifier: verifier, client: client, purpose: purpose) else {
            return
        }
        try connection.execute(
            """
            INSERT INTO usage_call (sequence, last_sequence, verifier, client, purpose, role, submission, state, class,
                quantity, started_at, provider_time, by_end, by_provider)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(call.sequence), .integer(call.lastSequence), .integer(Int64(call.verifier)),
                .integer(Int64(call.client)), .integer(Int64(call.purpose)), try number(call.role, in: roles),
                .integer(call.isSubmission ? 1 : 0), try number(call.state, in: states),
                try number(call.billableClass, in: classes), .integer(call.quantity), .time(call.startedAt),
                .time(orNull: call.providerTime), .time(call.time(by: .ended)), .time(call.time(by: .provider)),
            ])
    }

    /// The sequence number of the `started` that an event goes on with.
    private static func start(of draft: LedgerDraft, _ connection: Connection) throws(StoreError) -> Int64? {
        if let call = draft.call {
            return try connection.first(
                "SELECT sequence FROM ledger WHERE attempt = ? AND call = ? AND kind = 'started'",
                [.text(draft.attempt.rawValue), .text(call.rawValue)]
            ) { row throws(StoreError) in try row.integer(0) }
        }
        return try connection.first(
            """
            SELECT sequence FROM ledger WHERE attempt = ? AND call IS NULL AND kind = 'started'
            ORDER BY sequence DESC LIMIT 1
            """, [.text(draft.attempt.rawValue)]
        ) { row throws(StoreError) in try row.integer(0) }
    }

    private static func name(_ name: String, _ connection: Connection) throws(StoreError) -> Int32 {
        if let number = try known(name, connection) { return number }
        try connection.execute(
            "INSERT INTO usage_name (number, name) SELECT coalesce(max(number), -1) + 1, ? FROM usage_name",
            [.text(name)])
        guard let number = try known(name, connection) else { throw .internal }
        return number
    }

    /// The number of a name, if it has one.
    static func known(_ name: String, _ connection: Connection) throws(StoreError) -> Int32? {
        try connection.first("SELECT number FROM usage_name WHERE name = ?", [.text(name)]) {
            row throws(StoreError) in Int32(truncatingIfNeeded: try row.integer(0))
        }
    }

    /// What numbers mean, at hand while a million rows are read.
    struct Words {
        private let roles = UsageRow.roles
        private let states = UsageRow.states
        private let outcomes = UsageRow.outcomes
        private let classes = UsageRow.classes

        func read(_ row: borrowing Row) throws(StoreError) -> UsageCall {
            var call = UsageCall(
                sequence: try row.integer(0), verifier: Int32(truncatingIfNeeded: try row.integer(2)),
                client: Int32(truncatingIfNeeded: try row.integer(3)),
                purpose: Int32(truncatingIfNeeded: try row.integer(4)), role: try word(row.integer(5), of: roles),
                isSubmission: try row.integer(6) == 1, billableClass: try word(row.integer(9), of: classes),
                quantity: try row.integer(10), startedAt: try row.time(11))
            call.lastSequence = try row.integer(1)
            call.state = try word(row.integer(7), of: states)
            if let outcome = try row.integerOrNull(8) { call.outcome = try word(outcome, of: outcomes) }
            call.endedAt = try row.timeOrNull(12)
            call.providerTime = try row.timeOrNull(13)
            return call
        }

        private func word<Word>(_ number: Int64, of words: [Word]) throws(StoreError) -> Word {
            guard number >= 0, number < words.count else { throw .corrupt }
            return words[Int(number)]
        }
    }

    private static func number<Word: Equatable>(_ word: Word, in words: [Word]) throws(StoreError) -> SQLValue {
        guard let place = words.firstIndex(of: word) else { throw .internal }
        return .integer(Int64(place))
    }
}
