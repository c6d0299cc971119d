public import VerificationCore
public import WebhookSignatures

/// Where a client is told that one of its sessions ended, or the operators what they should know.
public struct Webhook: Sendable {
    /// The address. It may hold a token of the other side's, so it is shown nowhere.
    public let url: Sensitive<String>
    /// The secrets that each message is signed with: two while one is being rotated.
    public let secrets: WebhookSecrets
    /// A file with the certificate authority to trust, where it is not one of the system's.
    public let certificateAuthorityFile: String?

    /// A webhook.
    public init(url: Sensitive<String>, secrets: WebhookSecrets, certificateAuthorityFile: String? = nil) {
        self.url = url
        self.secrets = secrets
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}

/// Sends webhooks. The composition root implements it, because the gateway knows no HTTP client.
public protocol WebhookSending: Sendable {
    /// Sends one message once, as a `POST`, and says what the other side answered. A redirect is an answer like any
    /// other, and nothing is sent where it points.
    func send(_ delivery: WebhookDelivery) async throws(WebhookFailure) -> WebhookReceipt
}

/// Whom a message goes to.
public enum WebhookRecipient: Sendable, Hashable {
    /// A client whose session it is about.
    case client(ClientID)
    /// Those who run the gateway.
    case operators
}

/// One message on its way.
public struct WebhookDelivery: Sendable {
    /// Whom to: different ones share no connection.
    public let recipient: WebhookRecipient
    /// Where to.
    public let webhook: Webhook
    /// The header fields, signature included.
    public let headers: [(name: String, value: String)]
    /// The body, byte for byte as it was signed.
    public let body: [UInt8]
    /// How long it may take.
    public let timeout: Duration
}

/// What the other side answered.
public struct WebhookReceipt: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// When it wants to be asked again, if it said so.
    public let retryAfter: Duration?

    /// An answer.
    public init(status: Int, retryAfter: Duration? = nil) {
        self.status = status
        self.retryAfter = retryAfter
    }
}

/// Why there is no answer.
public struct WebhookFailure: Error, Sendable, Hashable {
    /// A code of a closed set, such as `timed_out`.
    public let code: String
    /// Whether we gave it up ourselves: then it says nothing of the other side.
    public let isCancelled: Bool

    /// A failure.
    public init(code: String, isCancelled: Bool = false) {
        self.code = code
        self.isCancelled = isCancelled
    }
}
