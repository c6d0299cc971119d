import HTTPServer
import JSONTree
import VerificationCore

/// `POST /v1/sessions/{id}/events`: what only the app knows and the time to keep is counted from.
struct TellEvent: Sendable {
    /// What an app can tell.
    enum Event: String, CaseIterable, Sendable {
        /// The contract began: the claims are kept until it ends.
        case contractStarted = "contract_started"
        /// The contract ended: the time to keep runs from here.
        case contractEnded = "contract_ended"
    }

    /// Longer than any date-time.
    private static let maximumTimeLength = 40

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let (name, text) = try RequestBody.object(request.http) { reader throws(Problem) in
            (
                reader.enumeration("event", as: Event.self),
                reader.optionalString("at", limit: Self.maximumTimeLength)
            )
        }
        let now = sessions.clock.now()
        guard let name, let at = text.flatMap({ RFC3339.timestamp($0) }), at <= now else {
            throw Problem(.requestInvalid, "at must be a time that has come, such as 2027-03-31T15:00:00+09:00")
        }
        let record = try await sessions.ownSession(id, of: client)
        guard record.status == .verified else {
            throw Problem(.eventConflict, "only a verified session has a contract")
        }
        guard record.erasedAt == nil else { throw Problem(.claimsErased) }
        guard let rule = try sessions.view(record).purpose?.eventRetention else {
            throw Problem(.requestInvalid, "the session's purpose keeps nothing after an event")
        }
        let contract = try contract(record, after: name, at: at)
        guard contract != record.contract else { return rendered(record) }
        var draft = sessions.auditDraft(name == .contractStarted ? .contractStarted : .contractEnded, by: client)
        draft.session = id
        draft.client = client.id
        draft.outcome = RFC3339.text(at)
        return rendered(try await keep(contract, by: rule, of: id, draft))
    }

    private func keep(
        _ contract: Contract, by rule: EventRetention, of id: SessionID, _ draft: AuditDraft
    ) async throws(Problem) -> SessionRecord {
        let eraseAt = contract.endedAt.map { rule.end(since: $0) }
        do throws(StoreError) {
            return try await sessions.persisted { [sessions] () async throws(StoreError) in
                try await sessions.store.setContract(contract, eraseAt: eraseAt, of: id, audit: draft)
            }
        } catch {
            // Between the look and the write only an erasure can have come.
            throw error == .conflict ? Problem(.claimsErased) : sessions.problem(error)
        }
    }

    /// The contract as it stands after an event; the same event again changes nothing.
    private func contract(_ record: SessionRecord, after event: Event, at: Timestamp) throws(Problem) -> Contract {
        var contract = record.contract
        switch event {
        case .contractStarted:
            if contract.startedAt == at { return contract }
            guard contract.startedAt == nil, contract.endedAt == nil else { throw Problem(.eventConflict) }
            contract.startedAt = at
        case .contractEnded:
            if contract.endedAt == at { return contract }
            guard contract.endedAt == nil else { throw Problem(.eventConflict) }
            guard (contract.startedAt ?? record.createdAt) <= at else {
                throw Problem(.eventConflict, "a contract ends after it began, and after its person was verified")
            }
            contract.endedAt = at
        }
        return contract
    }

    private func rendered(_ record: SessionRecord) -> Answer {
        Answer(
            .json(
                200,
                .object([
                    ("id", .string(record.id.rawValue)),
                    ("contract_started_at", OperatorRendering.time(record.contract.startedAt)),
                    ("contract_ended_at", OperatorRendering.time(record.contract.endedAt)),
                    ("erase_at", OperatorRendering.time(record.eraseAt)),
                    ("held", .boolean(record.hold != nil)),
                ])),
            session: record)
    }
}
