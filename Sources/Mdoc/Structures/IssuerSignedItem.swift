public import CBOR

/// IssuerSignedItem (ISO/IEC 18013-5 section 8.3.2.1.2.2): one data element with its salt.
public struct IssuerSignedItem: Sendable {
    /// The namespace in which it came.
    public let namespace: String
    /// `digestID`: 64 bits, because issuers exceed the standard's 31.
    public let digestID: UInt64
    /// The number of bytes of `random`.
    public let randomLength: Int
    /// `elementIdentifier`.
    public let elementIdentifier: String
    /// `elementValue`.
    public let elementValue: CBORItem
    /// IssuerSignedItemBytes as received, tag 24 and byte string head included: what the digest is over.
    public let encoded: ArraySlice<UInt8>

    /// Reads `#6.24(bstr .cbor IssuerSignedItem)`. Other keys are let be: they are under the digest too.
    public init(_ item: CBORItem, namespace: String) throws(MdocError) {
        do {
            let map = try item.embedded().root
            self.namespace = namespace
            digestID = try map.require("digestID").unsigned()
            randomLength = try map.require("random").bytes().count
            elementIdentifier = try map.require("elementIdentifier").text()
            elementValue = try map.require("elementValue")
            encoded = item.encoded
        } catch {
            throw .malformed
        }
    }
}
