/// Why bytes are not a certificate or a CRL for us.
public enum CertificateError: Error, Sendable, Hashable {
    /// More bytes than any certificate or list of the kind has.
    case tooLong
    /// Not the ASN.1 of one certificate or list, or something follows it.
    case malformed
    /// A time that is in neither form of RFC 5280 section 4.1.2.5.
    case malformedTime
    /// An extension, named by its identifier, that decides trust and cannot be read.
    case malformedExtension(String)
    /// An extension, named by its identifier, that is there twice (RFC 5280 section 4.2 forbids it).
    case duplicateExtension(String)
    /// A critical extension of a list, named by its identifier, that our rules do not process.
    case unsupportedExtension(String)
}

extension CertificateError: CustomStringConvertible {
    /// Words for an operator.
    public var description: String {
        switch self {
        case .tooLong: "is too long"
        case .malformed: "cannot be parsed"
        case .malformedTime: "has a time that is not in a form of RFC 5280"
        case .malformedExtension(let identifier): "has the extension \(identifier), which cannot be parsed"
        case .duplicateExtension(let identifier): "has the extension \(identifier) twice"
        case .unsupportedExtension(let identifier): "has the critical extension \(identifier), which is not supported"
        }
    }
}
