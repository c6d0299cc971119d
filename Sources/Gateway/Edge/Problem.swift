import HTTPServer
import JSONTree
import VerificationCore

/// An answer that says what is wrong (RFC 9457). It is the only error that leaves the gateway.
struct Problem: Error, Sendable, Equatable {
    /// What is wrong.
    let code: ProblemCode
    /// A sentence for the developer; it never repeats a value of the request.
    let detail: String
    /// How many seconds to wait.
    let retryAfter: Int?
    /// The methods that the path has, where the request's is none of them (RFC 9110, 15.5.6).
    let allow: String?
    /// What is wrong with a configuration, where that is what was refused.
    let problems: [ReloadProblem]

    init(
        _ code: ProblemCode, _ detail: String? = nil, retryAfter: Int? = nil, allow: String? = nil,
        problems: [ReloadProblem] = []
    ) {
        self.problems = problems
        self.code = code
        self.detail = detail ?? code.title
        self.retryAfter = retryAfter
        self.allow = allow
    }

    /// What a failing store means to the caller.
    init(_ error: StoreError) {
        switch error {
        case .notFound: self.init(ProblemCode.sessionNotFound)
        case .held: self.init(ProblemCode.sessionHeld)
        case .unavailable, .closed: self.init(ProblemCode.storeUnavailable, retryAfter: 1)
        case .alreadyExists, .conflict, .corrupt, .internal: self.init(ProblemCode.internal)
        }
    }

    /// What a refusal of the request guard means to the caller.
    init(_ refusal: HTTPRefusal) {
        switch refusal {
        case .badRequest(let kind): self.init(ProblemCode.requestMalformed, kind.rawValue)
        case .headersTooLarge: self.init(ProblemCode.headersTooLarge)
        case .targetTooLong: self.init(ProblemCode.targetTooLong)
        case .payloadTooLarge: self.init(ProblemCode.payloadTooLarge)
        case .timeout: self.init(ProblemCode.requestTimeout)
        case .unsupportedMethod: self.init(ProblemCode.methodUnknown)
        case .unsupportedVersion: self.init(ProblemCode.versionUnsupported)
        case .unsupportedExpectation: self.init(ProblemCode.expectationUnsupported)
        case .overloaded: self.init(ProblemCode.overloaded, retryAfter: 1)
        case .internalFailure: self.init(ProblemCode.internal)
        }
    }

    func response(requestID: String) -> HTTPResponse {
        var members: [(String, JSONValue)] = [
            ("type", .string("urn:sekisho:problem:" + code.rawValue)),
            ("title", .string(code.title)),
            ("status", .integer(Int64(code.status))),
            ("code", .string(code.rawValue)),
            ("detail", .string(detail)),
            ("request_id", .string(requestID)),
            ("retryable", .boolean(code.isRetryable)),
        ]
        if !problems.isEmpty { members.append(("problems", ReloadRendering.problems(problems))) }
        var headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        if let retryAfter { headers.append(("Retry-After", String(retryAfter))) }
        if let allow { headers.append(("Allow", allow)) }
        if code == .unauthorized { headers.append(("WWW-Authenticate", "Bearer")) }
        return HTTPResponse(status: code.status, headers: headers, body: JSONValue.object(members).encoded())
    }
}
