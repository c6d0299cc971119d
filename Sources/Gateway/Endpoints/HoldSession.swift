import HTTPServer
import JSONTree
import VerificationCore

/// `POST /v1/sessions/{id}/hold` and `DELETE` of the same: a legal hold keeps a session from being erased and removed.
struct HoldSession: Sendable {
    /// Why a session is held. A code, so that nothing about a person is written.
    enum Reason: String, CaseIterable, Sendable {
        /// A lawsuit, or one that is expected.
        case litigation
        /// An authority asked for it.
        case authorityRequest = "authority_request"
        /// An investigation of the organisation's own.
        case investigation
        /// An audit.
        case audit
        /// Anything else; who placed it can be asked.
        case other
    }

    let sessions: SessionService

    func place(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client([.operator, .auditor])
        let reason = try RequestBody.object(request.http) { reader throws(Problem) in
            reader.enumeration("reason", as: Reason.self)
        }
        guard let reason else { throw Problem(.requestInvalid) }
        var draft = sessions.auditDraft(.holdPlaced, by: client)
        draft.reason = reason.rawValue
        let hold = LegalHold(reason: reason.rawValue, by: client.id.rawValue, at: draft.at)
        return try await set(hold, of: id, draft, conflict: .sessionHeld)
    }

    func release(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client([.operator, .auditor])
        return try await set(nil, of: id, sessions.auditDraft(.holdReleased, by: client), conflict: .sessionNotHeld)
    }

    private func set(
        _ hold: LegalHold?, of id: SessionID, _ draft: AuditDraft, conflict: ProblemCode
    ) async throws(Problem) -> Answer {
        let before = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.session(id)
        }
        var draft = draft
        draft.session = id
        draft.client = before.client
        let event = draft
        do throws(StoreError) {
            let record = try await sessions.persisted { [sessions] () async throws(StoreError) in
                try await sessions.store.setHold(hold, of: id, audit: event)
            }
            return Answer(.json(200, Self.rendering(record)), session: record)
        } catch {
            throw error == .conflict ? Problem(conflict) : sessions.problem(error)
        }
    }

    private static func rendering(_ record: SessionRecord) -> JSONValue {
        .object([
            ("id", .string(record.id.rawValue)),
            (
                "hold",
                record.hold.map { hold in
                    .object([
                        ("reason", .string(hold.reason)), ("by", .string(hold.by)),
                        ("at", SessionRendering.time(hold.at)),
                    ])
                } ?? .null
            ),
            ("erase_at", OperatorRendering.time(record.eraseAt)),
            ("erased_at", OperatorRendering.time(record.erasedAt)),
        ])
    }
}
