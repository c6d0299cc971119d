public import CBOR

/// A COSE_Sign1: one payload, one signature (RFC 9052 §4.2).
///
/// What parses has the right structure; nothing is said of its signature before `verify`.
public struct COSESign1: Sendable {
    /// The tag of RFC 9052 §2. ISO/IEC 18013-5 uses the structure without it; both are read.
    public static let tag: UInt64 = 18

    private let header: COSEHeader

    /// The payload; `nil` where it is detached.
    public let payload: ArraySlice<UInt8>?
    /// The signature, as received.
    public let signature: ArraySlice<UInt8>

    /// Reads the structure, with tag 18 or without a tag.
    public init(item: CBORItem) throws(COSEError) {
        let array = item.kind == .tag ? try? item.tag(COSESign1.tag) : item
        guard let array, array.kind == .array, array.count == 4 else { throw .malformed }
        let parts = Array(array.items)
        header = try COSEHeader(protected: parts[0], unprotected: parts[1])
        if parts[2].isNull {
            payload = nil
        } else {
            guard let bytes = try? parts[2].bytes() else { throw .malformed }
            payload = bytes
        }
        guard let bytes = try? parts[3].bytes() else { throw .malformed }
        signature = bytes
    }

    /// The content of the protected header's byte string, as received.
    public var protectedBytes: ArraySlice<UInt8> { header.protectedBytes }

    /// The algorithm that the protected header names. One in the unprotected header is not signed, and not read.
    public var algorithm: COSEAlgorithm {
        get throws(COSEError) { try header.algorithm.get() }
    }

    /// The certificates of `x5chain` (RFC 9360 §2), leaf first; `nil` where the parameter is absent.
    public var x5chain: [ArraySlice<UInt8>]? { header.certificateChain }

    /// The key identifier, which is a hint and never evidence.
    public var keyIdentifier: ArraySlice<UInt8>? { header.keyIdentifier }

    /// The bytes that are signed (RFC 9052 §4.4): `["Signature1", protected, external_aad, payload]`, with shortest
    /// heads whatever the heads of the structure were (§9). No external data is an empty string, never null.
    public static func sigStructure(
        protected: some Collection<UInt8>, externalAAD: some Collection<UInt8>, payload: some Collection<UInt8>
    ) -> [UInt8] {
        let heads = 32
        var encoder = CBOREncoder(capacity: heads + protected.count + externalAAD.count + payload.count)
        encoder.array(count: 4)
        encoder.text("Signature1")
        encoder.byteString(protected)
        encoder.byteString(externalAAD)
        encoder.byteString(payload)
        return encoder.bytes
    }

    /// Whether the signature is a key's over the payload.
    ///
    /// A detached payload is given by the caller. Where one is given and the structure has one too, they must be the
    /// same bytes: otherwise what the caller expects is not what is signed, and the answer is no.
    public func verify(
        key: COSEKey, payload detached: ArraySlice<UInt8>? = nil, externalAAD: [UInt8] = []
    ) throws(COSEError) -> Bool {
        let algorithm = try self.algorithm
        guard algorithm == key.algorithm else { throw .algorithmUnsupported }
        guard let signed = detached ?? payload else { throw .payloadMissing }
        if let payload, payload != signed { return false }
        // RFC 9052 §4.4: no parameters are an empty string here, also where they came as an empty map.
        let protected = header.protectedIsEmpty ? [] : protectedBytes
        let message = COSESign1.sigStructure(protected: protected, externalAAD: externalAAD, payload: signed)
        return try key.verify(signature: signature, over: message, algorithm: algorithm)
    }
}
