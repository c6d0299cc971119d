import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/sessions/{id}/deletion`: what was erased of a session, when, by whom and by which rule, and whether its
/// provider has erased too. It comes from the audit chain, so it can be read after the session itself was removed.
struct ReadDeletion: Sendable {
    /// One erasure, and a provider's that may be given up and tried again.
    private static let looked = 20

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client([.app, .auditor])
        try QueryReader(request.http.query).rejectUnknown(known: "none")
        var filter = AuditFilter()
        filter.session = id
        filter.actions = [.sessionErased, .providerErased]
        let wanted = filter
        let events = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.audit(wanted, before: nil, limit: Self.looked)
        }
        let record = try await found(id, seenBy: client, events: events)
        let erasure = events.last { $0.draft.action == .sessionErased }
        guard let erasedAt = record?.erasedAt ?? erasure?.draft.at else { throw Problem(.deletionUnavailable) }
        let message = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.message(OutboxMessage.id(.providerErasure, of: id))
        }
        let told = events.first { $0.draft.action == .providerErased }
        var draft = sessions.auditDraft(.deletionRead, by: client)
        draft.session = id
        draft.client = record?.client ?? erasure?.draft.client
        try await sessions.audit(draft)
        return Answer(
            .json(
                200,
                .object([
                    ("session", .string(id.rawValue)),
                    ("client", .string(orNull: draft.client?.rawValue)),
                    ("erased_at", SessionRendering.time(erasedAt)),
                    ("by", .string(orNull: erasure?.draft.actor)),
                    ("rule", .string(orNull: erasure?.draft.outcome)),
                    ("erased", .array(Self.erased.map { .string($0) })),
                    ("kept", .array((record == nil ? Self.keptOnly : Self.kept).map { .string($0) })),
                    ("session_removed", .boolean(record == nil)),
                    ("provider", Self.provider(message, told)),
                    ("audit", AuditRendering.place(erasure)),
                ])), session: record)
    }

    /// The session, or `nil` where it was removed; whoever may not see it finds nothing.
    private func found(
        _ id: SessionID, seenBy client: Client, events: [AuditEvent]
    ) async throws(Problem) -> SessionRecord? {
        do throws(Problem) {
            return try await sessions.session(id, seenBy: client)
        } catch {
            let isVisible = client.role == .auditor || events.contains { $0.draft.client == client.id }
            guard error.code == .sessionNotFound, !events.isEmpty, isVisible else { throw error }
            return nil
        }
    }

    private static let erased = ["session_key", "claims", "document", "reference", "reference_index", "verifier_state"]
    private static let kept = [
        "status", "times", "checks", "certification", "legal_method", "names_of_confirmed_claims", "ledger",
        "audit_chain",
    ]
    private static let keptOnly = ["ledger", "audit_chain"]

    private static func provider(_ message: OutboxMessage?, _ told: AuditEvent?) -> JSONValue {
        let state =
            switch (message, told?.draft.outcome) {
            case (let message?, _): message.deadAt == nil ? "waiting" : "given_up"
            case (nil, let outcome?): outcome
            case (nil, nil): "not_needed"
            }
        let verifier = message?.verifier.rawValue ?? told?.draft.subject
        return .object([
            ("state", .string(state)),
            ("verifier", .string(orNull: verifier)),
            ("at", OperatorRendering.time(message == nil ? told?.draft.at : message?.deadAt)),
            ("tries", message.map { .integer($0.tries) } ?? .null),
            ("last_error", .string(orNull: message?.lastError ?? told?.draft.reason)),
            ("audit", AuditRendering.place(message == nil ? told : nil)),
        ])
    }
}
