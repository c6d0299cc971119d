import VerificationCore

/// The columns of a session that the law asks for beside the verdict.
enum ComplianceRow {
    /// How many columns these are, and their names in the order in which they are read and written.
    static let columns = [
        "method_code", "method_policy", "method_procedure", "method_as_of", "confirmed_claims", "contract_started_at",
        "contract_ended_at", "hold_reason", "hold_by", "hold_at",
    ]

    static func values(_ record: SessionRecord) -> [SQLValue] {
        verdict(record.legalMethod, record.confirmedClaims) + [
            .time(orNull: record.contract.startedAt), .time(orNull: record.contract.endedAt),
            .text(orNull: record.hold?.reason), .text(orNull: record.hold?.by), .time(orNull: record.hold?.at),
        ]
    }

    /// The values of the first five columns.
    private static func verdict(_ method: LegalMethod?, _ claims: [ClaimName]) -> [SQLValue] {
        [
            .text(orNull: method?.code), .text(orNull: method?.policy), .text(orNull: method?.procedure),
            .integer(orNull: method?.lawAsOf.daysSinceEpoch),
            claims.isEmpty ? .null : .text(claims.map(\.rawValue).joined(separator: " ")),
        ]
    }

    /// Reads the columns from `start` on.
    static func read(
        _ row: borrowing Row, from start: Int32, into record: inout SessionRecord
    ) throws(StoreError) {
        if let procedure = try row.textOrNull(start + 2) {
            record.legalMethod = LegalMethod(
                policy: try row.textOrNull(start + 1), procedure: procedure,
                lawAsOf: CivilDate(daysSinceEpoch: try row.integer(start + 3)), code: try row.textOrNull(start))
        }
        if let names = try row.textOrNull(start + 4) {
            record.confirmedClaims = names.split(separator: " ").map { ClaimName(String($0)) }
        }
        record.contract = Contract(
            startedAt: try row.timeOrNull(start + 5), endedAt: try row.timeOrNull(start + 6))
        if let reason = try row.textOrNull(start + 7) {
            record.hold = LegalHold(reason: reason, by: try row.text(start + 8), at: try row.time(start + 9))
        }
    }

    /// Keeps what a session's end says.
    static func keep(_ ending: SessionEnding, of id: SessionID, _ connection: Connection) throws(StoreError) {
        guard ending.legalMethod != nil || !ending.confirmedClaims.isEmpty else { return }
        try connection.execute(
            """
            UPDATE session SET method_code = ?, method_policy = ?, method_procedure = ?, method_as_of = ?,
                confirmed_claims = ?
            WHERE id = ?
            """, verdict(ending.legalMethod, ending.confirmedClaims) + [.text(id.rawValue)])
    }
}
