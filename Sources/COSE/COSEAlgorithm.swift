public import CBOR
public import Cryptography

/// The signature algorithms we verify, by their numbers in IANA's registry "COSE Algorithms".
///
/// All others are refused, the fully-specified ones of RFC 9864 (−9 ESP256, −51 ESP384, −52 ESP512, −19 Ed25519) too:
/// ISO/IEC 18013-5 §9.1.2.4 names these four.
public enum COSEAlgorithm: Int64, Sendable, CaseIterable {
    /// ECDSA with SHA-256, here with P-256 only.
    case es256 = -7
    /// EdDSA, here with Ed25519 only.
    case edDSA = -8
    /// ECDSA with SHA-384, here with P-384 only.
    case es384 = -35
    /// ECDSA with SHA-512, here with P-521 only.
    case es512 = -36

    /// Reads the value of header parameter 1 or key parameter 3.
    public init(item: CBORItem) throws(COSEError) {
        switch item.kind {
        case .unsigned, .negative:
            // A number beyond Int64 is an algorithm that nobody has registered.
            guard let number = try? item.integer(), let known = COSEAlgorithm(rawValue: number) else {
                throw .algorithmUnsupported
            }
            self = known
        // RFC 9052 §3.1: `alg` is a number or a text; no algorithm of ours has a text.
        case .text: throw .algorithmUnsupported
        case .bytes, .array, .map, .tag, .boolean, .null, .undefined, .simple, .float: throw .malformed
        }
    }

    /// The one curve that goes with the algorithm; `nil` for EdDSA.
    public var curve: Curve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .edDSA: nil
        }
    }

    /// The hash that ECDSA signs; `nil` for EdDSA, which hashes by itself.
    public var hash: HashAlgorithm? {
        switch self {
        case .es256: .sha256
        case .es384: .sha384
        case .es512: .sha512
        case .edDSA: nil
        }
    }
}
