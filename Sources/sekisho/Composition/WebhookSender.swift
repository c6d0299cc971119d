import Gateway
import HTTPClient
import VerificationCore

/// Sends webhooks by the HTTP client.
struct WebhookSender: WebhookSending {
    /// What the other side says beside its status is not read, so there is no need for much of it.
    private static let answerBytes = 64 << 10

    let client: HTTPClient
    /// Where plain `http` may go: nowhere in production.
    let plaintext: PlaintextPolicy

    func send(_ delivery: WebhookDelivery) async throws(WebhookFailure) -> WebhookReceipt {
        // A message may be sent twice: its identifier tells.
        let request = OutboundRequest(
            method: "POST", url: delivery.webhook.url.withValue { $0 },
            headers: delivery.headers.map { OutboundField($0.name, $0.value) }, body: Sensitive(delivery.body),
            connection: .reuse,
            limits: OutboundLimits(totalTimeout: delivery.timeout, answerBytes: Self.answerBytes),
            tls: TLSSettings(certificateAuthorityFile: delivery.webhook.certificateAuthorityFile),
            pool: Self.pool(of: delivery.recipient), plaintext: plaintext)
        do throws(OutboundFailure) {
            let answer = try await client.send(request)
            return WebhookReceipt(
                status: answer.status, retryAfter: answer.headers["retry-after"].flatMap(Self.seconds))
        } catch {
            throw WebhookFailure(
                code: error.code.rawValue, isCancelled: error.code == .cancelled || error.code == .closed)
        }
    }

    private static func pool(of recipient: WebhookRecipient) -> String {
        switch recipient {
        case .client(let id): "client:" + id.rawValue
        case .operators: "operators"
        }
    }

    /// `Retry-After` in seconds (RFC 9110, 10.2.3). A date says little more than our own schedule, and is passed over.
    private static func seconds(_ text: String) -> Duration? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text).map { .seconds($0) }
    }
}
