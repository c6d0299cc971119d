import HTTPServer
import VerificationCore

/// `DELETE /v1/sessions/{id}`: erases what leads back to the person and keeps the verdict.
struct EraseSession: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let before = try await sessions.ownSession(id, of: client)
        let now = sessions.clock.now()
        let erased = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.erase(id, by: client.id.rawValue, at: now)
        }
        // A session that waited for its submission has been cancelled with it.
        if before.status == .created, erased.status == .cancelled {
            sessions.count(erased)
            sessions.waiters.wake(id)
        }
        return Answer(HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")], body: []), session: erased)
    }
}
