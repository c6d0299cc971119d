public import CBOR
public import VerificationCore

/// ValidityInfo (ISO/IEC 18013-5 section 9.1.2.4).
public struct ValidityInfo: Sendable, Hashable {
    /// When the MobileSecurityObject was signed.
    public let signed: Timestamp
    /// The first instant at which it is valid.
    public let validFrom: Timestamp
    /// The last.
    public let validUntil: Timestamp
    /// When the issuer means to sign it anew.
    public let expectedUpdate: Timestamp?

    /// Reads a ValidityInfo.
    public init(_ map: CBORItem) throws(MdocError) {
        do {
            signed = try ValidityInfo.time(map.require("signed"))
            validFrom = try ValidityInfo.time(map.require("validFrom"))
            validUntil = try ValidityInfo.time(map.require("validUntil"))
            expectedUpdate = try map["expectedUpdate"].map(ValidityInfo.time)
        } catch {
            throw .malformed
        }
    }

    /// Reads a tdate: text in tag 0, in UTC. The standard forbids a fraction of a second; issuers write one, so it is read.
    private static func time(_ item: CBORItem) throws -> Timestamp {
        guard let time = RFC3339.timestamp(try item.tag(0).text(), requiringZulu: true) else {
            throw MdocError.malformed
        }
        return time
    }
}
