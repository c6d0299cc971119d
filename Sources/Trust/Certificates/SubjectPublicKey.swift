public import Cryptography

/// A certificate's key in the form that a COSE signature is verified with.
public enum SubjectPublicKey: Sendable {
    /// A point of P-256, P-384 or P-521.
    case ec(ECPublicKey)
    /// An Ed25519 key.
    case ed25519(Ed25519PublicKey)
    /// A key that no algorithm of ours fits; ``Certificate/keyAlgorithm`` says which kind it is.
    case unsupported
}
