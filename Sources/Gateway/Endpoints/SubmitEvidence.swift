import HTTPServer
import JSONTree
import VerificationCore

/// `POST /v1/sessions/{id}/submission`: redeems the nonce and answers with the verdict, or with 202 where it comes later.
struct SubmitEvidence: Sendable {
    /// Larger than a blob with a 60 kB portrait and 5 kB of digests several times over.
    static let maximumEvidence = 512 * 1024
    /// When an app should ask for a verdict that comes later, in seconds.
    private static let pendingRetrySeconds = 2
    /// A nonce of 64 bytes in padded base64.
    private static let maximumNonceText = 88

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let session = try await sessions.ownSession(id, of: client)
        let idempotency = try RequestBody.idempotency(
            request.http, client: client, scope: "submission:" + id.rawValue, keys: sessions.keys)
        let (blob, nonce) = try RequestBody.object(request.http) { reader throws(Problem) in
            (reader.string("encrypted_data") ?? "", reader.optionalString("nonce", limit: Self.maximumNonceText))
        }
        guard let bytes = ByteText.bytes(base64: blob), !bytes.isEmpty else {
            throw Problem(.evidenceEncodingInvalid)
        }
        guard bytes.count <= Self.maximumEvidence else { throw Problem(.payloadTooLarge) }
        if let nonce {
            guard ByteText.bytes(base64: nonce) == session.nonce.bytes else { throw Problem(.nonceMismatch) }
        }
        let submission = Submission(evidence: Evidence(encryptedData: Sensitive(bytes)), idempotency: idempotency)
        // The verdict is reached and kept whether or not the caller stays to hear it.
        let work = Task { [sessions] () -> Result<(view: SessionView, replayed: Bool), Problem> in
            do throws(Problem) {
                return .success(try await sessions.submit(submission, to: session))
            } catch {
                return .failure(error)
            }
        }
        let (view, replayed) = try await work.value.get()
        var headers = replayed ? [("Idempotency-Replayed", "true")] : []
        let isPending = !view.record.status.isFinal
        if isPending { headers.append(("Retry-After", String(Self.pendingRetrySeconds))) }
        return Answer(
            .session(view, status: isPending ? 202 : 200, headers: headers), session: view.record)
    }
}
