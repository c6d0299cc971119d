/// How a private key signs, by its name in JSON Web Algorithms (RFC 7518 §3.1).
///
/// Each algorithm has one kind of key, so that a key never signs in a way that its owner did not register.
public enum SignatureAlgorithm: String, Sendable, CaseIterable, Hashable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384.
    case es384 = "ES384"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256, its salt as long as the digest (RFC 7518 §3.5).
    case ps256 = "PS256"

    var hash: HashAlgorithm {
        switch self {
        case .es256, .rs256, .ps256: .sha256
        case .es384: .sha384
        }
    }

    /// The curve of the key; `nil` for RSA.
    var curve: Curve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .rs256, .ps256: nil
        }
    }
}
