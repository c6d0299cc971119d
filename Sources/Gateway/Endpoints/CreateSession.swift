import HTTPServer
import JSONTree
import VerificationCore

/// `POST /v1/sessions`: opens a session and says what to ask the wallet with.
struct CreateSession: Sendable {
    /// A reference is the app's own identifier for the case, not a place for data.
    static let maximumReferenceLength = 256
    /// Longer than any document type and any purpose's name.
    static let maximumNameLength = 128

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let idempotency = try RequestBody.idempotency(
            request.http, client: client, scope: "create", keys: sessions.keys)
        let order = try RequestBody.object(request.http) { reader throws(Problem) in
            SessionOrder(
                purpose: PurposeID(reader.string("purpose", limit: Self.maximumNameLength) ?? ""),
                documentType: reader.optionalString("doc_type", limit: Self.maximumNameLength),
                reference: Sensitive(reader.optionalString("reference", limit: Self.maximumReferenceLength)),
                idempotency: idempotency)
        }
        let (view, replayed) = try await sessions.create(order, for: client)
        var headers = [("Location", "/v1/sessions/" + view.record.id.rawValue)]
        if replayed { headers.append(("Idempotency-Replayed", "true")) }
        return Answer(.session(view, status: 201, headers: headers), session: view.record)
    }
}
