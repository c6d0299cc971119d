import HTTPServer
import VerificationCore

/// `POST /v1/outbox/{id}/retry`: has a message that was given up tried once more, and again over a day where that fails.
struct RetryMessage: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: OutboxMessage.ID) async throws(Problem) -> Answer {
        let client = try request.client(.operator)
        let now = sessions.clock.now()
        let message = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.message(id)
        }
        guard let message, message.deadAt != nil else { throw Problem(.messageNotFound) }
        var draft = sessions.auditDraft(.messageRetried, by: client)
        if message.kind != .budgetReached {
            draft.session = message.session
            draft.client = message.client
        }
        draft.subject = message.kind.rawValue
        try await sessions.audited(draft) { [sessions] () async throws(Problem) in
            do throws(StoreError) {
                try await sessions.store.reviveMessage(id, at: now)
            } catch {
                throw error == .notFound ? Problem(.messageNotFound) : sessions.problem(error)
            }
        }
        sessions.log(
            .info, "an operator had a message tried again", at: now,
            [(.message, .text(id)), (.client, .text(client.id.rawValue))])
        return Answer(HTTPResponse(status: 202, headers: [("Cache-Control", "no-store")], body: []))
    }
}
