import VerificationCore

/// A session's row: its record, and the numbers that only the database knows.
struct SessionRow {
    let number: Int64
    let slot: Int64?
    var record: SessionRecord

    static let select = """
        SELECT s.number, s.key_slot, s.id, s.client, s.purpose, s.document_type, s.verifier, s.verifier_kind,
            s.simulated, s.status, s.nonce, s.merchant_identifier, s.team_identifier, s.configuration_version,
            s.created_at, s.expires_at, s.claimed_at, s.processing_deadline, s.ended_at, s.failure, s.cancel_reason,
            s.report, s.certification_regime, s.certification_holder, s.certification_program,
            s.certification_version, s.certification_number, s.certification_valid_from,
            s.certification_valid_until, s.provider_reference, s.erase_at, s.erased_at, s.key_name,
            k.bytes, c.key_name, c.bytes, r.key_name, r.bytes, s.routing, s.attempt, s.answered_by, s.wait_step,
            s.wait_next_at, s.wait_asked, s.notifies, s.erase_ticket_key, s.erase_ticket,
            \(ComplianceRow.columns.map { "s." + $0 }.joined(separator: ", "))
        FROM session AS s
        LEFT JOIN key_slot AS k ON k.slot = s.key_slot
        LEFT JOIN sealed AS c ON c.part = s.number * 2
        LEFT JOIN sealed AS r ON r.part = s.number * 2 + 1
        """

    init(_ row: borrowing Row) throws(StoreError) {
        number = try row.integer(0)
        slot = try row.integerOrNull(1)
        guard let nonce = Nonce(try row.blob(10)) else { throw .corrupt }
        let verifier = VerifierDescription(
            id: VerifierID(try row.text(6)), kind: try row.text(7), isSimulated: try row.integer(8) == 1,
            certification: try Self.certification(row), documentTypes: [])
        record = SessionRecord(
            id: SessionID(try row.text(2)), client: ClientID(try row.text(3)), purpose: PurposeID(try row.text(4)),
            documentType: try row.text(5), verifier: verifier, nonce: nonce,
            walletIdentity: WalletIdentity(
                merchantIdentifier: try row.text(11), teamIdentifier: try row.text(12)),
            configurationVersion: try row.text(13), createdAt: try row.time(14), expiresAt: try row.time(15))
        record.status = try row.word(9)
        record.claimedAt = try row.timeOrNull(16)
        record.processingDeadline = try row.timeOrNull(17)
        record.endedAt = try row.timeOrNull(18)
        record.failure = try row.wordOrNull(19)
        record.cancelReason = try row.textOrNull(20)
        if let report = try row.textOrNull(21) { record.report = try ReportText.read(report) }
        record.providerReference = try row.textOrNull(29)
        record.eraseAt = try row.timeOrNull(30)
        record.erasedAt = try row.timeOrNull(31)
        try readSecrets(row)
        try readWaiting(row)
        try ComplianceRow.read(row, from: 47, into: &record)
    }

    private mutating func readWaiting(_ row: borrowing Row) throws(StoreError) {
        if let routing = try row.textOrNull(38) { record.routing = try RoutingText.read(routing) }
        record.attempt = try row.textOrNull(39).map { AttemptID($0) }
        record.answeredBy = try row.textOrNull(40).map { VerifierID($0) }
        if let step = try row.wordOrNull(41, VerificationStep.self) {
            record.wait = ProviderWait(
                nextAt: try row.timeOrNull(42), step: step, asked: Int(try row.integer(43)))
        }
        record.notifies = try row.integer(44) == 1
        if let name = try row.textOrNull(45) {
            record.eraseTicket = SealedBytes(keyID: name, bytes: try row.blob(46))
        }
    }

    private mutating func readSecrets(_ row: borrowing Row) throws(StoreError) {
        if let bytes = try row.blobOrNull(33) {
            let (key, index) = try KeySlots.read(bytes)
            if let key { record.wrappedKey = SealedBytes(keyID: try row.text(32), bytes: key) }
            record.referenceIndex = index
        }
        if let name = try row.textOrNull(34) {
            record.sealedContext = SealedBytes(keyID: name, bytes: try row.blob(35))
        }
        if let name = try row.textOrNull(36) {
            record.sealedResult = SealedBytes(keyID: name, bytes: try row.blob(37))
        }
    }

    private static func certification(_ row: borrowing Row) throws(StoreError) -> Certification? {
        guard let regime = try row.textOrNull(22) else { return nil }
        return Certification(
            regime: regime, holder: try row.text(23), program: try row.text(24), version: try row.text(25),
            number: try row.text(26), validFrom: try row.time(27), validUntil: try row.time(28))
    }

    static func insert(_ record: SessionRecord, _ connection: Connection) throws(StoreError) {
        let slot = try KeySlots.keep(key: record.wrappedKey?.bytes, index: record.referenceIndex, connection)
        let certification = record.certification
        try connection.execute(
            """
            INSERT INTO session (id, client, purpose, document_type, verifier, verifier_kind, simulated, status,
                nonce, merchant_identifier, team_identifier, configuration_version, created_at, expires_at,
                claimed_at, processing_deadline, ended_at, failure, cancel_reason, report, certification_regime,
                certification_holder, certification_program, certification_version, certification_number,
                certification_valid_from, certification_valid_until, provider_reference, erase_at, erased_at,
                key_name, key_slot, reference_bucket, routing, attempt, answered_by, wait_step, wait_next_at,
                wait_asked, notifies, erase_ticket_key, erase_ticket, \(ComplianceRow.columns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(record.id.rawValue), .text(record.client.rawValue), .text(record.purpose.rawValue),
                .text(record.documentType), .text(record.verifier.rawValue), .text(record.verifierKind),
                .integer(record.isSimulated ? 1 : 0), .text(record.status.rawValue), .blob(record.nonce.bytes),
                .text(record.walletIdentity.merchantIdentifier), .text(record.walletIdentity.teamIdentifier),
                .text(record.configurationVersion), .time(record.createdAt), .time(record.expiresAt),
                .time(orNull: record.claimedAt), .time(orNull: record.processingDeadline),
                .time(orNull: record.endedAt), .text(orNull: record.failure?.rawValue),
                .text(orNull: record.cancelReason), .text(orNull: record.report.map(ReportText.write)),
                .text(orNull: certification?.regime), .text(orNull: certification?.holder),
                .text(orNull: certification?.program), .text(orNull: certification?.version),
                .text(orNull: certification?.number), .time(orNull: certification?.validFrom),
                .time(orNull: certification?.validUntil), .text(orNull: record.providerReference),
                .time(orNull: record.eraseAt), .time(orNull: record.erasedAt),
                .text(orNull: record.wrappedKey?.keyID), .integer(orNull: slot),
                .blob(orNull: record.referenceIndex.map(bucket)), .text(orNull: RoutingText.write(record.routing)),
                .text(orNull: record.attempt?.rawValue), .text(orNull: record.answeredBy?.rawValue),
                .text(orNull: record.wait?.step.rawValue), .time(orNull: record.wait?.nextAt),
                .integer(orNull: record.wait.map { Int64($0.asked) }), .integer(record.notifies ? 1 : 0),
                .text(orNull: record.eraseTicket?.keyID), .blob(orNull: record.eraseTicket?.bytes),
            ] + ComplianceRow.values(record))
        let number = connection.lastRow
        if let context = record.sealedContext { try keep(context, part: number * 2, connection) }
        if let result = record.sealedResult { try keep(result, part: number * 2 + 1, connection) }
    }

    /// What of a reference index is in an index of the database: see the schema's second step.
    static func bucket(_ index: [UInt8]) -> [UInt8] { Array(index.prefix(2)) }

    /// Keeps a sealed part, in place of what is there.
    static func keep(_ sealed: SealedBytes, part: Int64, _ connection: Connection) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO sealed (part, key_name, bytes) VALUES (?, ?, ?)
            ON CONFLICT (part) DO UPDATE SET key_name = excluded.key_name, bytes = excluded.bytes
            """,
            [.integer(part), .text(sealed.keyID), .blob(sealed.bytes)])
    }

    /// Keeps the certification that a verdict was reached under, where it is not the one that the session began with.
    static func keep(
        _ certification: Certification, of id: SessionID, _ connection: Connection
    ) throws(StoreError) {
        try connection.execute(
            """
            UPDATE session SET certification_regime = ?, certification_holder = ?, certification_program = ?,
                certification_version = ?, certification_number = ?, certification_valid_from = ?,
                certification_valid_until = ?
            WHERE id = ?
            """,
            [
                .text(certification.regime), .text(certification.holder), .text(certification.program),
                .text(certification.version), .text(certification.number), .time(certification.validFrom),
                .time(certification.validUntil), .text(id.rawValue),
            ])
    }

    /// Keeps a ticket in its session until that is erased; from then on it goes straight to the outbox.
    static func give(
        _ ticket: SealedBytes?, to record: SessionRecord, _ connection: Connection
    ) throws(StoreError) {
        guard let ticket else { return }
        if let erasedAt = record.erasedAt {
            try OutboxRow.writeErasure(of: record, ticket: ticket, at: erasedAt, connection)
        } else {
            try connection.execute(
                "UPDATE session SET erase_ticket_key = ?, erase_ticket = ? WHERE id = ?",
                [.text(ticket.keyID), .blob(ticket.bytes), .text(record.id.rawValue)])
        }
    }

    static func find(_ id: SessionID, _ connection: Connection) throws(StoreError) -> SessionRow {
        let found = try connection.first(select + " WHERE s.id = ?", [.text(id.rawValue)]) { row throws(StoreError) in
            try SessionRow(row)
        }
        guard let found else { throw .notFound }
        return found
    }
}
