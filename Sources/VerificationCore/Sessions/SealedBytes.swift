/// Ciphertext and the name of the key that opens it.
public struct SealedBytes: Sendable, Hashable {
    /// The name of the key.
    public let keyID: String
    /// Initialisation vector, ciphertext and tag.
    public let bytes: [UInt8]

    /// Sealed bytes.
    public init(keyID: String, bytes: [UInt8]) {
        self.keyID = keyID
        self.bytes = bytes
    }
}
