/// Why the console shows no page.
enum ConsoleRefusal: Error, Sendable, Equatable {
    /// Nobody is signed in.
    case signInFirst
    /// The page is another role's.
    case forbidden
    /// There is no such page or session.
    case notFound
    /// The path has other methods.
    case wrongMethod(allow: String)
    /// The request is not one that a page makes.
    case malformed
    /// The form's token is not the session's, or it came from elsewhere.
    case formExpired
    /// More than a form may hold.
    case tooLarge
    /// The gateway could not answer.
    case failed(ProblemCode)

    /// The status of the page that says so.
    var status: Int {
        switch self {
        case .signInFirst: 401
        case .forbidden, .formExpired: 403
        case .notFound: 404
        case .wrongMethod: 405
        case .malformed: 400
        case .tooLarge: 413
        case .failed(let code): code.status
        }
    }

    /// The code for the log.
    var code: ProblemCode {
        switch self {
        case .signInFirst: .unauthorized
        case .forbidden, .formExpired: .forbidden
        case .notFound: .routeNotFound
        case .wrongMethod: .methodNotAllowed
        case .malformed: .requestMalformed
        case .tooLarge: .payloadTooLarge
        case .failed(let code): code
        }
    }
}
