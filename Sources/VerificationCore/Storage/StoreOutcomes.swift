/// What came of creating a session.
public enum CreateOutcome: Sendable, Hashable {
    /// It was written.
    case created
    /// The client used the idempotency key before.
    case existing(IdempotencyRecord)
}

/// What came of claiming a session.
public enum ClaimOutcome: Sendable, Hashable {
    /// The caller, and nobody else, verifies it now.
    case claimed(SessionRecord)
    /// It was submitted before: by the same idempotency key, if `by` has one.
    case alreadySubmitted(SessionRecord, by: IdempotencyRecord?)
    /// The time to submit is over. A session past its time and still `created` is ended as `expired` by this call.
    case expired(SessionRecord)
    /// The app had cancelled it.
    case cancelled(SessionRecord)
}
