/// Why a webhook's signature was not accepted. It never carries a value of the request or of a secret.
public enum WebhookError: String, Error, Sendable, CaseIterable, Hashable {
    /// A header that the scheme needs is missing.
    case headerMissing = "header_missing"
    /// A header that the scheme needs came twice: which of the two was checked would be anybody's guess.
    case headerDuplicated = "header_duplicated"
    /// A header that the scheme needs is longer than ``WebhookHeaders/longestValue`` or holds what it must not.
    case headerMalformed = "header_malformed"
    /// The time is not whole seconds since 1970, in digits alone.
    case timestampMalformed = "timestamp_malformed"
    /// No signature in it is one of ours.
    case signatureMismatch = "signature_mismatch"
    /// The signature is right, and its time is too long ago or too far ahead: it may have been replayed.
    case outsideTolerance = "outside_tolerance"
}
