/// The NIST curves of FIPS 186-5 / SP 800-186 that ISO/IEC 18013-5 §9.1.3.5 allows and we support.
///
/// Each has a prime order (cofactor 1), so a point that is on the curve and not at infinity is in the right group.
public enum Curve: Sendable, CaseIterable {
    /// P-256 (secp256r1).
    case p256
    /// P-384 (secp384r1).
    case p384
    /// P-521 (secp521r1).
    case p521

    /// The number of bytes of a coordinate, and of each half of a raw signature.
    public var coordinateLength: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The number of bytes of an uncompressed point: `04`, x, y (SEC 1 §2.3.3).
    public var pointLength: Int { 1 + 2 * coordinateLength }

    var groupName: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}
