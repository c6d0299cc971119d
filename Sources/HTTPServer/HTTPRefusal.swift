/// Why a request was refused before a handler saw it; the gateway renders each as its problem document.
public enum HTTPRefusal: Sendable, Hashable {
    /// The request is not one that can be read in one way only.
    case badRequest(BadRequest)
    /// More header bytes or fields than the limits allow.
    case headersTooLarge
    /// A target longer than the limit.
    case targetTooLong
    /// A body declared or streamed beyond the limit.
    case payloadTooLarge
    /// The head or the body did not arrive within its deadline.
    case timeout
    /// A method this server does not know.
    case unsupportedMethod
    /// A version other than HTTP/1.0 and HTTP/1.1.
    case unsupportedVersion
    /// An expectation other than `100-continue`.
    case unsupportedExpectation
    /// The server holds as many request bodies as it may; the same request may succeed later.
    case overloaded
    /// A handler gave an answer that cannot be sent.
    case internalFailure

    /// What was wrong with a request that is malformed; the raw values are stable.
    public enum BadRequest: String, Sendable, Hashable, CaseIterable {
        /// Both `Content-Length` and `Transfer-Encoding` (RFC 9112 §6.1).
        case lengthAndEncoding = "length_and_encoding"
        /// More than one `Content-Length` (RFC 9112 §6.3).
        case repeatedLength = "repeated_length"
        /// A `Content-Length` that is not one or more digits.
        case invalidLength = "invalid_length"
        /// A `Transfer-Encoding` that is not exactly `chunked`, once, in HTTP/1.1.
        case transferEncoding = "transfer_encoding"
        /// No `Host`, two, or one that names no host (RFC 9112 §3.2).
        case host
        /// A header name with a byte that is no token (RFC 9110 §5.1).
        case headerName = "header_name"
        /// A header value with a control character.
        case headerValue = "header_value"
        /// A head not written in lines of CRLF: a bare LF, a folded line, a NUL, spare white space.
        case lines
        /// A target that is no absolute path, holds a bad escape, or names a parent folder.
        case target
    }

    /// The status the answer should have.
    public var status: Int {
        switch self {
        case .badRequest: 400
        case .headersTooLarge: 431
        case .targetTooLong: 414
        case .payloadTooLarge: 413
        case .timeout: 408
        case .unsupportedMethod: 501
        case .unsupportedVersion: 505
        case .unsupportedExpectation: 417
        case .overloaded: 503
        case .internalFailure: 500
        }
    }
}
