/// One way to misbehave. `charged` says whether the work is done, and billed, before the answer goes wrong.
public enum Fault: Sendable, Hashable {
    /// The right answer, late.
    case slow(milliseconds: Int)
    /// No answer, ever.
    case timeout(charged: Bool)
    /// The request is read; then the connection is reset.
    case resetAfterReading(charged: Bool)
    /// The connection is reset before a byte of it is read.
    case resetBeforeReading
    /// 429 with `Retry-After`, in seconds or as a date.
    case tooManyRequests(seconds: Int, asDate: Bool)
    /// 503 without a word.
    case unavailable
    /// 500 with a page for people.
    case htmlError(charged: Bool)
    /// The answer names another reference.
    case wrongReference
    /// The answer has a status that no documentation names.
    case unknownStatus
    /// 200 MB of zeros, compressed to a thousandth.
    case gzipBomb
    /// An answer that is no JSON.
    case badJSON
    /// The first half of the right JSON, whole as HTTP has it.
    case truncatedJSON
    /// The right JSON with every member of the top twice, the second one `null`.
    case duplicateKeys
    /// The right JSON behind a byte order mark.
    case byteOrderMark
    /// 307 to another place.
    case redirect(location: String)
    /// 200 without a body.
    case emptyAnswer
    /// 204.
    case noContent
    /// The connection ends in the middle of the body.
    case cutBody
    /// The claims hold a valid マイナンバー.
    case individualNumber
    /// The result changes afterwards to its opposite.
    case revised
    /// The webhook comes late.
    case lateWebhook(milliseconds: Int)
    /// The webhook comes twice.
    case duplicateWebhook
    /// The webhook is signed with another secret.
    case wronglySignedWebhook
    /// The webhook names a verification that nobody asked for.
    case webhookForAnother
    /// The webhook never comes.
    case lostWebhook
    /// The token is dead when it arrives, whatever its lifetime says.
    case tokenExpiresAtOnce
    /// The token's lifetime is this JSON, be it a number or not.
    case tokenLifetime(json: String)

    /// Its name on the control port.
    public var name: String {
        switch self {
        case .slow: "slow"
        case .timeout: "timeout"
        case .resetAfterReading: "reset_after_reading"
        case .resetBeforeReading: "reset_before_reading"
        case .tooManyRequests(_, let asDate): asDate ? "too_many_requests_date" : "too_many_requests"
        case .unavailable: "unavailable"
        case .htmlError: "html_error"
        case .wrongReference: "wrong_reference"
        case .unknownStatus: "unknown_status"
        case .gzipBomb: "gzip_bomb"
        case .badJSON: "bad_json"
        case .truncatedJSON: "truncated_json"
        case .duplicateKeys: "duplicate_keys"
        case .byteOrderMark: "byte_order_mark"
        case .redirect: "redirect"
        case .emptyAnswer: "empty_answer"
        case .noContent: "no_content"
        case .cutBody: "cut_body"
        case .individualNumber: "individual_number"
        case .revised: "revised"
        case .lateWebhook: "late_webhook"
        case .duplicateWebhook: "duplicate_webhook"
        case .wronglySignedWebhook: "wrongly_signed_webhook"
        case .webhookForAnother: "webhook_for_another"
        case .lostWebhook: "lost_webhook"
        case .tokenExpiresAtOnce: "token_expires_at_once"
        case .tokenLifetime: "token_lifetime"
        }
    }

    /// The steps at which it can happen.
    ///
    /// What goes with a result is decided when the evidence comes in, and stays with that verification.
    var steps: Set<ProviderStep> {
        switch self {
        case .resetBeforeReading: []
        case .lateWebhook, .duplicateWebhook, .wronglySignedWebhook, .webhookForAnother, .lostWebhook: [.webhook]
        case .tokenExpiresAtOnce, .tokenLifetime: [.token]
        case .individualNumber, .revised: [.submit]
        case .wrongReference, .unknownStatus: [.begin, .submit, .poll, .fetch]
        case .slow, .timeout, .resetAfterReading, .tooManyRequests, .unavailable, .htmlError, .gzipBomb, .badJSON,
            .truncatedJSON, .duplicateKeys, .byteOrderMark, .redirect, .emptyAnswer, .noContent, .cutBody:
            [.token, .begin, .submit, .poll, .fetch, .erase]
        }
    }
}
