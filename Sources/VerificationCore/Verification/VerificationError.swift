/// Why a verifier could not tell. Not a verdict: the caller may try again or another way.
public struct VerificationError: Error, Sendable, Equatable {
    /// The closed set of what can go wrong.
    public enum Code: String, Sendable, CaseIterable, Hashable {
        /// The verifier does not take such a request (document, purpose, evidence kind).
        case requestUnsupported = "request_unsupported"
        /// What the gateway kept of the challenge does not fit this verifier any more.
        case challengeUnusable = "challenge_unusable"
        /// The verifier or its provider cannot be reached or is overloaded.
        case providerUnavailable = "provider_unavailable"
        /// The provider's deadline passed; it may have billed.
        case providerTimeout = "provider_timeout"
        /// The provider answered something its manifest does not name.
        case providerProtocolError = "provider_protocol_error"
        /// Revocation data is needed by policy, and is unreachable or stale.
        case revocationUnavailable = "revocation_unavailable"
        /// The work was cancelled.
        case cancelled
        /// A fault of our own.
        case `internal`
    }

    /// What went wrong. Two errors are equal when their codes are.
    public let code: Code
    /// Static words for the operator: nothing of the evidence can get in.
    public let diagnostic: StaticString
    /// How long to wait before another try, where known.
    public let retryAfter: Duration?
    /// Whether a call left and nobody knows what became of it: it may have billed. Then nothing is tried again and
    /// nobody else is asked.
    public let mayHaveBilled: Bool
    /// The HTTP status of the answer that it is about, where a provider gave one.
    public let answerStatus: Int?
    /// The part of a manifest that did not fit, in the operator's own words: never anything of an answer.
    public let place: String?
    /// Where it was noticed.
    public let site: String

    /// An error noticed here.
    public init(
        _ code: Code, _ diagnostic: StaticString, retryAfter: Duration? = nil, mayHaveBilled: Bool = false,
        answerStatus: Int? = nil, place: String? = nil, file: StaticString = #fileID, line: Int = #line
    ) {
        self.code = code
        self.diagnostic = diagnostic
        self.retryAfter = retryAfter
        self.mayHaveBilled = mayHaveBilled
        self.answerStatus = answerStatus
        self.place = place
        self.site = "\(file):\(line)"
    }

    /// Compares the codes.
    public static func == (left: VerificationError, right: VerificationError) -> Bool { left.code == right.code }
}
