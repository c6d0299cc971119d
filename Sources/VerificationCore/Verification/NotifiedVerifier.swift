/// A verifier whose provider sends notifications.
public protocol NotifiedVerifier: Verifier {
    /// Authenticates a notification and says which verification it is about. It changes nothing.
    func receive(_ notification: Notification, at now: Timestamp) throws(NotificationError) -> Notice

    /// What an authentic notice concludes; `nil` where it carries no result, which then has to be fetched.
    func conclude(
        _ notice: Notice, for challenge: Challenge, in attempt: AttemptContext
    ) throws(VerificationError) -> Conclusion?
}

/// A notification as it came in.
public struct Notification: Sendable {
    /// The header fields in order, names as sent.
    public let headers: [(name: String, value: String)]
    /// The body, byte for byte: a signature is over these.
    public let body: Sensitive<[UInt8]>

    /// A notification.
    public init(headers: [(name: String, value: String)], body: Sensitive<[UInt8]>) {
        self.headers = headers
        self.body = body
    }
}

/// A notification that its sender's signature vouches for.
public struct Notice: Sendable {
    /// Its own identifier, by which a duplicate is known; the digest of its body where the provider sends none.
    public let id: String
    /// The provider's reference of the verification.
    public let providerReference: String
    /// The body.
    public let body: Sensitive<[UInt8]>

    /// A notice.
    public init(id: String, providerReference: String, body: Sensitive<[UInt8]>) {
        self.id = id
        self.providerReference = providerReference
        self.body = body
    }
}

/// Why a notification was not taken.
public enum NotificationError: String, Error, Sendable, CaseIterable, Hashable {
    /// No notifications are configured for the verifier.
    case notConfigured = "not_configured"
    /// The signature is missing, wrong, or by a secret that is not ours.
    case signatureInvalid = "signature_invalid"
    /// The signed time lies outside the tolerance: it may have been replayed.
    case outsideTolerance = "outside_tolerance"
    /// It is authentic, and not what the manifest describes.
    case malformed
}
