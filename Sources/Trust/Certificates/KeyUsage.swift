/// What a certificate's key may be used for (RFC 5280 section 4.2.1.3).
public struct KeyUsage: OptionSet, Sendable, Hashable {
    /// Bit *n* of the ASN.1 bit string is bit *n* here.
    public let rawValue: UInt16

    /// A set of uses.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Signatures other than on certificates and CRLs.
    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    /// Signatures that their maker cannot deny.
    public static let contentCommitment = KeyUsage(rawValue: 1 << 1)
    /// Encryption of keys.
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    /// Encryption of data.
    public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    /// Agreement on keys.
    public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    /// Signatures on certificates.
    public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
    /// Signatures on CRLs.
    public static let cRLSign = KeyUsage(rawValue: 1 << 6)
    /// With key agreement, encryption only.
    public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    /// With key agreement, decryption only.
    public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

    static let bitCount = 9
}
