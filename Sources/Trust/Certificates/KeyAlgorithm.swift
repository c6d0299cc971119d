/// The kind of a certificate's key.
public enum KeyAlgorithm: String, Sendable, CaseIterable {
    /// NIST P-256 (`prime256v1`).
    case p256 = "P-256"
    /// NIST P-384.
    case p384 = "P-384"
    /// NIST P-521.
    case p521 = "P-521"
    /// Brainpool (RFC 5639) of 256 bits; like its sisters good for certificates, not for COSE.
    case brainpoolP256r1
    /// Brainpool of 320 bits.
    case brainpoolP320r1
    /// Brainpool of 384 bits.
    case brainpoolP384r1
    /// Brainpool of 512 bits.
    case brainpoolP512r1
    /// Edwards curve 25519.
    case ed25519 = "Ed25519"
    /// Edwards curve 448; good for certificates, not for COSE.
    case ed448 = "Ed448"
    /// RSA of any size: refused.
    case rsa = "RSA"
    /// Another kind, a curve given by explicit parameters, or a key that cannot be read.
    case other

    /// Whether ISO/IEC 18013-5 Annex B allows the key for a document signer, or in a certificate that leads to one.
    public var isAllowed: Bool {
        switch self {
        case .p256, .p384, .p521, .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1, .brainpoolP512r1, .ed25519,
            .ed448:
            true
        case .rsa, .other: false
        }
    }

    /// Whether the key lies on a curve with ECDSA.
    public var isECDSA: Bool {
        switch self {
        case .p256, .p384, .p521, .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1, .brainpoolP512r1: true
        case .ed25519, .ed448, .rsa, .other: false
        }
    }
}

/// How a certificate or a CRL is signed.
public enum CertificateSignature: String, Sendable, CaseIterable {
    /// ECDSA over SHA-256.
    case ecdsaSHA256 = "ecdsa-with-SHA256"
    /// ECDSA over SHA-384.
    case ecdsaSHA384 = "ecdsa-with-SHA384"
    /// ECDSA over SHA-512.
    case ecdsaSHA512 = "ecdsa-with-SHA512"
    /// EdDSA on Ed25519.
    case ed25519 = "Ed25519"
    /// EdDSA on Ed448.
    case ed448 = "Ed448"
    /// Anything else, SHA-1 and RSA among it: refused wherever trust would rest on it.
    case other

    /// Whether trust may rest on such a signature.
    public var isAllowed: Bool {
        switch self {
        case .ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512, .ed25519, .ed448: true
        case .other: false
        }
    }
}
