public import Cryptography

/// A key that wallets seal to, and the hash by which an envelope names it.
public struct RecipientKey: Sendable {
    /// SHA-256 of the 65-byte uncompressed point; neither of the SubjectPublicKeyInfo nor of a certificate.
    public let hash: [UInt8]
    /// The private key.
    public let privateKey: P256PrivateKey

    /// A key; its hash is computed here and nowhere else.
    public init(_ privateKey: P256PrivateKey) {
        self.privateKey = privateKey
        self.hash = Hash.sha256(privateKey.publicKey.uncompressed)
    }
}
