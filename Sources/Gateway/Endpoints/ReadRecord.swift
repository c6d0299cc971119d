import HTTPServer
import VerificationCore

/// `GET /v1/sessions/{id}/record`: what the relying party's own record of a verification asks for and the gateway
/// knows. Its app reads it with the claims while they are kept; an auditor reads it without.
struct ReadRecord: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client([.app, .auditor])
        try QueryReader(request.http.query).rejectUnknown(known: "none")
        let record = try await sessions.session(id, seenBy: client)
        guard record.status == .verified, let endedAt = record.endedAt else { throw Problem(.recordUnavailable) }
        let view = try sessions.view(record)
        try await sessions.audit(.recordRead, by: client, session: record, outcome: client.role.rawValue)
        return Answer(
            .json(200, RecordRendering(view: view, endedAt: endedAt, showsClaims: client.role == .app).record),
            session: record)
    }
}

extension SessionService {
    /// A session as a client may see it: an app its own, an auditor every one.
    func session(_ id: SessionID, seenBy client: Client) async throws(Problem) -> SessionRecord {
        switch client.role {
        case .app: return try await ownSession(id, of: client)
        case .operator, .finance, .auditor:
            return try await stored { () async throws(StoreError) in try await self.store.session(id) }
        }
    }
}
