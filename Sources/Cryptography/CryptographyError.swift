/// Why a cryptographic operation gave no result. It never carries a value, so it can be logged anywhere.
public enum CryptographyError: Error, Sendable, Equatable {
    /// A key has the wrong length or is not a key of its algorithm.
    case invalidKey
    /// A point is not an uncompressed point on its curve.
    case invalidPoint
    /// A ciphertext, tag, nonce or associated datum is not the one that was sealed; which of them is not told.
    case authenticationFailed
    /// A size or an algorithm that this library refuses by decision.
    case unsupported
    /// An encoding that cannot be read.
    case malformed
    /// The library beneath failed: memory, or a broken installation.
    case failure
}
