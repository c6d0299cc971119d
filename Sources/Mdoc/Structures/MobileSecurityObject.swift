import CBOR
public import COSE
public import Cryptography

/// MobileSecurityObject (ISO/IEC 18013-5 section 9.1.2.4): what the issuer signs. Unknown keys are ignored.
public struct MobileSecurityObject: Sendable {
    /// The versions that are understood: the first edition's, and the second's, which adds keys only.
    public static let versions: Set<String> = ["1.0", "1.1"]

    /// The digest algorithm; `nil` where it is none of SHA-256, SHA-384 and SHA-512 in exactly that spelling.
    public let digestAlgorithm: HashAlgorithm?
    /// The digests of all elements of the document, disclosed or not.
    public let valueDigests: ValueDigests
    /// The device's key; `nil` where its kind or curve is not supported.
    public let deviceKey: COSEKey?
    /// `docType`.
    public let documentType: String
    /// `validityInfo`.
    public let validityInfo: ValidityInfo
    /// The bytes of the MobileSecurityObject, without the wrapping of tag 24.
    public let encoded: ArraySlice<UInt8>

    /// Reads MobileSecurityObjectBytes, the payload of IssuerAuth: `#6.24(bstr .cbor MobileSecurityObject)`.
    public init(payload: ArraySlice<UInt8>) throws(MdocError) {
        do {
            let map = try CBORDocument(Array(payload)).root.embedded().root
            guard MobileSecurityObject.versions.contains(try map.require("version").text()) else {
                throw MdocError.malformed
            }
            let algorithm = try map.require("digestAlgorithm").text()
            digestAlgorithm = MobileSecurityObject.algorithm(algorithm)
            valueDigests = try ValueDigests(map.require("valueDigests"))
            deviceKey = try MobileSecurityObject.key(map.require("deviceKeyInfo").require("deviceKey"))
            documentType = try map.require("docType").text()
            validityInfo = try ValidityInfo(map.require("validityInfo"))
            encoded = map.encoded
        } catch {
            throw .malformed
        }
    }

    /// The names of section 9.1.2.5, and no others: the text is the issuer's, the choice is ours.
    private static func algorithm(_ name: String) -> HashAlgorithm? {
        switch name {
        case "SHA-256": .sha256
        case "SHA-384": .sha384
        case "SHA-512": .sha512
        default: nil
        }
    }

    private static func key(_ item: CBORItem) throws -> COSEKey? {
        do throws(COSEError) {
            return try COSEKey(item: item)
        } catch .algorithmUnsupported {
            return nil
        }
    }
}
