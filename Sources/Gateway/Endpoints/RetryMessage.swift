import HTTPServer
import VerificationCore

/// `POST /v1/outbox/{id}/retry`: has a message that was given up tried once more, and again over a day where that fails.
struct RetryMessage: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: OutboxMessage.ID) async throws(Problem) -> Answer {
        let client = try request.client(.operator)
        let now = sessions.clock.now()
        do throws(StoreError) {
            try await sessions.store.reviveMessage(id, at: now)
        } catch {
            throw error == .notFound ? Problem(.messageNotFound) : sessions.problem(error)
        }
        sessions.log(
            .info, "an operator had a message tried again", at: now,
            [(.message, .text(id)), (.client, .text(client.id.rawValue))])
        return Answer(HTTPResponse(status: 202, headers: [("Cache-Control", "no-store")], body: []))
    }
}
