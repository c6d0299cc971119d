import HTTPClient
import JSONTree
import VerificationCore

/// Asks for tokens. A failure here is never billed: the request that needs the token has not left.
struct TokenEndpoint: Sendable {
    /// A token's answer is a kilobyte; who waits for it has a verification to finish.
    static let limits = OutboundLimits(
        connectTimeout: .seconds(5), totalTimeout: .seconds(10), answerBytes: 64 << 10, headerBytes: 16 << 10,
        headerFields: 64)
    /// The longest token: what fits into a header of an ordinary server.
    static let longestToken = HeaderField.longestValue - 256
    static let json = JSONLimits(bytes: limits.answerBytes, depth: 16, values: 2000)

    let access: ProviderAccess
    /// The whole address.
    let url: String

    /// An address from a declaration: an absolute URL as it is, a path under the API's endpoint.
    init(_ declared: String, access: ProviderAccess) {
        self.access = access
        self.url =
            declared.hasPrefix("/") ? access.endpoint.origin + access.endpoint.path + declared : declared
    }

    /// The answer to a request, if it is one of success.
    func answer(
        _ method: HTTPMethod, headers: [DraftRequest.Header], body: Sensitive<[UInt8]>?, at now: Timestamp
    ) async throws(VerificationError) -> OutboundAnswer {
        // A second token does no harm, so a connection may be kept.
        let request = access.request(
            method, url: url, headers: headers, body: body, connection: .reuse, limits: TokenEndpoint.limits)
        let answer: OutboundAnswer
        do throws(OutboundFailure) {
            answer = try await access.client.send(request)
        } catch {
            throw TokenEndpoint.error(of: error)
        }
        switch answer.status {
        case 200..<300: return answer
        case 300..<400:
            throw VerificationError(
                .providerUnavailable, "the token endpoint redirects; its redirects are not followed")
        case 400..<500 where answer.status != 429:
            throw VerificationError(.providerUnavailable, "the token endpoint refuses the client or its request")
        default:
            throw VerificationError(
                .providerUnavailable, "the token endpoint cannot answer now",
                retryAfter: answer.headers["retry-after"].flatMap { RetryAfter.pause($0, at: now) })
        }
    }

    /// The tree of an answer's body.
    static func tree(of answer: OutboundAnswer) throws(VerificationError) -> JSONNode {
        try answer.body.withValue { bytes throws(VerificationError) in
            guard let node = try? JSONNode.parse(bytes, syntax: .json, limits: json), node.members != nil else {
                throw VerificationError(.providerProtocolError, "the token endpoint's answer is not a JSON object")
            }
            return node
        }
    }

    /// A token that can stand in a header, and could not end it.
    static func checked(_ text: String?) throws(VerificationError) -> Sensitive<String> {
        guard let text, !text.isEmpty, text.utf8.count <= longestToken,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw VerificationError(.providerProtocolError, "the token endpoint's answer holds no usable token") }
        return Sensitive(text)
    }

    private static func error(of failure: OutboundFailure) -> VerificationError {
        switch failure.code {
        case .cancelled: VerificationError(.cancelled, "asking for a token was cancelled")
        case .requestRefused: VerificationError(.internal, "the request for a token is none that may be sent")
        case .answerTooLarge, .badAnswer:
            VerificationError(.providerUnavailable, "the token endpoint's answer is too large, or no HTTP answer")
        case .dnsFailed, .connectFailed, .tlsFailed, .timedOutBeforeSending, .timedOut, .connectionLost, .closed,
            .tooManyRequests, .noResources:
            VerificationError(.providerUnavailable, "the token endpoint cannot be reached")
        }
    }
}
