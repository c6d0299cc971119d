/// The kind of a certificate's key.
public enum KeyAlgorithm: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case brainpoolP256r1
    case brainpoolP320r1
    case brainpoolP384r1
    case brainpoolP512r1
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
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
    case ecdsaSHA256 = "ecdsa-with-SHA256"
    case ecdsaSHA384 = "ecdsa-with-SHA384"
    case ecdsaSHA512 = "ecdsa-with-SHA512"
    case ed25519 = "Ed25519"
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
