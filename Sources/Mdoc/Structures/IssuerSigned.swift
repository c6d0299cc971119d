public import CBOR
public import COSE

/// IssuerSigned (ISO/IEC 18013-5 section 8.3.2.1.2.2): the elements that the holder discloses and the issuer's signature.
public struct IssuerSigned: Sendable {
    /// The items of every namespace, in the order received.
    public let items: [IssuerSignedItem]
    /// IssuerAuth: COSE_Sign1 over MobileSecurityObjectBytes.
    public let issuerAuth: COSESign1

    /// Reads an IssuerSigned. `nameSpaces` may be absent: then there are no items.
    public init(_ map: CBORItem) throws(MdocError) {
        do {
            var items: [IssuerSignedItem] = []
            if let namespaces = map["nameSpaces"] {
                guard namespaces.kind == .map else { throw MdocError.malformed }
                for (key, value) in namespaces.pairs {
                    guard value.kind == .array else { throw MdocError.malformed }
                    let namespace = try key.text()
                    for item in value.items { items.append(try IssuerSignedItem(item, namespace: namespace)) }
                }
            }
            self.items = items
            issuerAuth = try COSESign1(item: map.require("issuerAuth"))
        } catch {
            throw .malformed
        }
    }

    /// The MobileSecurityObject of IssuerAuth's payload; `nil` where there is none that can be read. The payload must be
    /// embedded: nothing from elsewhere takes its place.
    var mobileSecurityObject: MobileSecurityObject? {
        issuerAuth.payload.flatMap { try? MobileSecurityObject(payload: $0) }
    }
}
