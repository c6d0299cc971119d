/// Why a message was not opened. It says nothing about the message, so it can be shown and logged.
public enum HPKEError: Error, Sendable, Equatable {
    /// The encapsulated key is not an uncompressed point on P-256 (RFC 9180 §7.1.4).
    case encapsulatedKeyInvalid
    /// The ciphertext is not what was sealed to this key with this `info` and `aad`; which of them differs is not told.
    case openFailed
    /// A context's sequence numbers are used up (RFC 9180 §5.2).
    case messageLimitReached
    /// The suite has no cipher, or more bytes were asked for than it can export.
    case unsupported
}
