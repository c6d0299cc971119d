import HTTPServer
import VerificationCore

/// `GET /v1/sessions/{id}/verified-claims`: the result as OpenID Connect for Identity Assurance.
struct ReadVerifiedClaims: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let record = try await sessions.ownSession(id, of: client)
        guard record.status == .verified, !record.isSimulated, let endedAt = record.endedAt else {
            throw Problem(.verifiedClaimsUnavailable)
        }
        guard record.erasedAt == nil else { throw Problem(.claimsErased) }
        let view = try sessions.view(record)
        // Where nothing is kept, the answer to the submission was the only one that held them.
        guard let purpose = view.purpose, let result = view.result.withValue({ $0 }), let claims = result.claims,
            let document = result.document
        else { throw Problem(.claimsErased) }
        // Without it there is no `verification` (Identity Assurance Schema Definition 1.0, 5.4.1).
        guard let framework = purpose.trustFramework else { throw Problem(.verifiedClaimsUnavailable) }
        let body = VerifiedClaimsRendering.verifiedClaims(
            record, purpose: purpose, framework: framework, claims: claims, document: document, endedAt: endedAt)
        return Answer(.json(200, body), session: record)
    }
}
