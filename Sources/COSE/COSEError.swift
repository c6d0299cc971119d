/// Why a COSE structure is refused, or cannot be judged.
public enum COSEError: Error, Sendable, Equatable, CaseIterable {
    /// It is not the structure of RFC 9052, or a header parameter or key parameter has the wrong type.
    case malformed
    /// No algorithm is named in the protected header.
    case algorithmMissing
    /// The algorithm, the curve, or the two together are none of the fixed pairs.
    case algorithmUnsupported
    /// Neither the structure nor the caller has the payload.
    case payloadMissing
}
