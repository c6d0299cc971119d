/// The hash functions of ISO/IEC 18013-5 §9.1.2.5: SHA-2 with 256, 384 or 512 bits (FIPS 180-4).
public enum HashAlgorithm: Sendable, CaseIterable {
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// The number of bytes of a digest.
    public var length: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The name that the library beneath knows it by.
    var name: String {
        switch self {
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }
}
