public import CBOR

/// Document (ISO/IEC 18013-5 section 8.3.2.1.2.2), of which nothing is believed yet.
public struct UnverifiedDocument: Sendable {
    /// `docType`.
    public let documentType: String
    /// `issuerSigned`.
    public let issuerSigned: IssuerSigned
    /// `deviceSigned`.
    public let deviceSigned: DeviceSigned

    /// Reads a Document.
    public init(_ map: CBORItem) throws(MdocError) {
        do {
            documentType = try map.require("docType").text()
            issuerSigned = try IssuerSigned(map.require("issuerSigned"))
            deviceSigned = try DeviceSigned(map.require("deviceSigned"))
        } catch {
            throw .malformed
        }
    }
}
