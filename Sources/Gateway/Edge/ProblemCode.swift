/// What can be wrong with a request, as its caller sees it. Codes are added, never renamed and never used again.
///
/// Each has its section in `docs/errors.md`; a test fails when the two differ.
public enum ProblemCode: String, Sendable, CaseIterable, Hashable {
    case requestMalformed = "request_malformed"
    case requestInvalid = "request_invalid"
    case unauthorized
    case forbidden
    case routeNotFound = "route_not_found"
    case sessionNotFound = "session_not_found"
    case methodNotAllowed = "method_not_allowed"
    case requestTimeout = "request_timeout"
    case sessionAlreadySubmitted = "session_already_submitted"
    case sessionNotCancellable = "session_not_cancellable"
    case sessionCancelled = "session_cancelled"
    case sessionExpired = "session_expired"
    case verifiedClaimsUnavailable = "verified_claims_unavailable"
    case claimsErased = "claims_erased"
    case idempotencyInProgress = "idempotency_in_progress"
    case idempotencyKeyReused = "idempotency_key_reused"
    case payloadTooLarge = "payload_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case purposeNotAllowed = "purpose_not_allowed"
    case documentTypeNotAllowed = "document_type_not_allowed"
    case evidenceEncodingInvalid = "evidence_encoding_invalid"
    case nonceMismatch = "nonce_mismatch"
    case configurationInvalid = "configuration_invalid"
    case verifierNotFound = "verifier_not_found"
    case messageNotFound = "message_not_found"
    case statementNotFound = "statement_not_found"
    case monthNotClosable = "month_not_closable"
    case invoiceInvalid = "invoice_invalid"
    case sessionHeld = "session_held"
    case sessionNotHeld = "session_not_held"
    case recordUnavailable = "record_unavailable"
    case deletionUnavailable = "deletion_unavailable"
    case eventConflict = "event_conflict"
    case headersTooLarge = "headers_too_large"
    case targetTooLong = "target_too_long"
    case expectationUnsupported = "expectation_unsupported"
    case methodUnknown = "method_unknown"
    case versionUnsupported = "version_unsupported"
    case `internal`
    case verifierUnavailable = "verifier_unavailable"
    case storeUnavailable = "store_unavailable"
    case overloaded

    /// The HTTP status.
    public var status: Int {
        switch self {
        case .requestMalformed: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .routeNotFound, .sessionNotFound, .verifierNotFound, .messageNotFound, .statementNotFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .sessionAlreadySubmitted, .sessionNotCancellable, .sessionCancelled, .verifiedClaimsUnavailable,
            .idempotencyInProgress, .sessionHeld, .sessionNotHeld, .recordUnavailable, .deletionUnavailable,
            .eventConflict, .monthNotClosable:
            409
        case .sessionExpired, .claimsErased: 410
        case .payloadTooLarge: 413
        case .targetTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationUnsupported: 417
        case .requestInvalid, .idempotencyKeyReused, .purposeNotAllowed, .documentTypeNotAllowed,
            .evidenceEncodingInvalid, .nonceMismatch, .configurationInvalid, .invoiceInvalid:
            422
        case .headersTooLarge: 431
        case .internal: 500
        case .methodUnknown: 501
        case .versionUnsupported: 505
        case .verifierUnavailable, .storeUnavailable, .overloaded: 503
        }
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch self {
        case .requestTimeout, .idempotencyInProgress, .internal, .verifierUnavailable, .storeUnavailable, .overloaded:
            true
        case .requestMalformed, .requestInvalid, .unauthorized, .forbidden, .routeNotFound, .sessionNotFound,
            .methodNotAllowed, .sessionAlreadySubmitted, .sessionNotCancellable, .sessionCancelled, .sessionExpired,
            .verifiedClaimsUnavailable, .claimsErased, .idempotencyKeyReused, .payloadTooLarge,
            .unsupportedMediaType, .purposeNotAllowed, .documentTypeNotAllowed, .evidenceEncodingInvalid,
            .nonceMismatch, .configurationInvalid, .verifierNotFound, .messageNotFound, .sessionHeld, .sessionNotHeld,
            .recordUnavailable, .deletionUnavailable, .eventConflict, .headersTooLarge,
            .targetTooLong, .expectationUnsupported, .methodUnknown,
            .versionUnsupported, .statementNotFound, .monthNotClosable, .invoiceInvalid:
            false
        }
    }

    /// One short line for people; it never varies with the request.
    public var title: String {
        switch self {
        case .requestMalformed: "The request is not well-formed"
        case .requestInvalid: "The request does not fit the interface"
        case .unauthorized: "The key is missing or unknown"
        case .forbidden: "The key's role may not do this"
        case .routeNotFound: "There is nothing at this path"
        case .sessionNotFound: "There is no such session"
        case .methodNotAllowed: "The method does not fit the path"
        case .requestTimeout: "The request took too long to arrive"
        case .sessionAlreadySubmitted: "The session was submitted before"
        case .sessionNotCancellable: "The session can no longer be cancelled"
        case .sessionCancelled: "The session was cancelled"
        case .sessionExpired: "The session's time to submit is over"
        case .verifiedClaimsUnavailable: "The session has no verified claims"
        case .claimsErased: "The session's claims have been erased"
        case .idempotencyInProgress: "The first request with this key is still running"
        case .idempotencyKeyReused: "The key was used with another body"
        case .payloadTooLarge: "The body is too large"
        case .unsupportedMediaType: "The body is not application/json"
        case .purposeNotAllowed: "The purpose is unknown or not this client's"
        case .documentTypeNotAllowed: "The purpose does not allow this document type"
        case .evidenceEncodingInvalid: "The encrypted data is not base64url or base64"
        case .nonceMismatch: "The echoed nonce is not this session's"
        case .configurationInvalid: "The new configuration has problems; nothing has changed"
        case .verifierNotFound: "There is no such verifier"
        case .messageNotFound: "There is no such message"
        case .statementNotFound: "The month is not closed"
        case .monthNotClosable: "The month cannot be closed now"
        case .invoiceInvalid: "The invoice cannot be read"
        case .sessionHeld: "The session is under a legal hold"
        case .sessionNotHeld: "The session is under no legal hold"
        case .recordUnavailable: "The session has no verdict to record"
        case .deletionUnavailable: "The session has not been erased"
        case .eventConflict: "What is told does not fit what was told before"
        case .headersTooLarge: "The header is too large"
        case .targetTooLong: "The request target is too long"
        case .expectationUnsupported: "The expectation is not supported"
        case .methodUnknown: "The method is unknown"
        case .versionUnsupported: "The version of HTTP is not supported"
        case .internal: "A fault of the gateway"
        case .verifierUnavailable: "No verifier can take this now"
        case .storeUnavailable: "The store cannot write now"
        case .overloaded: "Too much at once"
        }
    }
}
