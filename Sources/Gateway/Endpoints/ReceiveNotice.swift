import HTTPServer
import VerificationCore

/// `POST /v1/verifiers/{id}/webhooks`: a provider tells of a verification. It has no key of ours: its signature is what
/// speaks for it.
struct ReceiveNotice: Sendable {
    /// A notice carries a verdict and claims, perhaps a portrait: as much as an answer to a submission would.
    static let maximumBody = 512 * 1024

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: VerifierID) async throws(Problem) -> Answer {
        guard request.http.body.count <= Self.maximumBody else { throw Problem(.payloadTooLarge) }
        let notification = Notification(
            headers: request.http.headers.fields, body: Sensitive(request.http.body))
        // What follows from it happens whether or not the provider stays to hear that it was taken.
        let work = Task { [sessions] () -> Result<NoticeEffect, Problem> in
            do throws(Problem) {
                return .success(try await sessions.receiveNotice(notification, for: id))
            } catch {
                return .failure(error)
            }
        }
        _ = try await work.value.get()
        // The same for every effect: a provider has no use for more, and nobody else is told anything.
        var answer = Answer(HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")], body: []))
        answer.verifier = id
        return answer
    }
}
