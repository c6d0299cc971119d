import HTTPServer
import VerificationCore

extension Gateway {
    /// The endpoints. A path that is known with another method is `wrongMethod`.
    enum Route: Sendable {
        case health, readiness, metrics, openAPI
        case createSession
        case readSession(SessionID), eraseSession(SessionID), submit(SessionID), cancel(SessionID)
        case verifiedClaims(SessionID)
        case wrongMethod(allow: String), unknown

        init(_ request: HTTPRequest) {
            let method = request.method
            let segments = request.segments
            let isSession = segments.count >= 3 && segments.count <= 4 && segments.starts(with: ["v1", "sessions"])
            let id = SessionID(isSession ? segments[2] : "")
            switch (segments.count == 4 ? segments[3] : "", segments.count, method) {
            case ("", 1, "GET") where segments == ["healthz"]: self = .health
            case ("", 1, "GET") where segments == ["readyz"]: self = .readiness
            case ("", 1, "GET") where segments == ["metrics"]: self = .metrics
            case ("", 1, "GET") where segments == ["openapi.json"]: self = .openAPI
            case ("", 2, "POST") where segments == ["v1", "sessions"]: self = .createSession
            case ("", 3, "GET") where isSession: self = .readSession(id)
            case ("", 3, "DELETE") where isSession: self = .eraseSession(id)
            case ("submission", 4, "POST") where isSession: self = .submit(id)
            case ("cancel", 4, "POST") where isSession: self = .cancel(id)
            case ("verified-claims", 4, "GET") where isSession: self = .verifiedClaims(id)
            default: self = Route.methods(segments, isSession: isSession).map { .wrongMethod(allow: $0) } ?? .unknown
            }
        }

        /// The methods of a path as `Allow` lists them; `nil` where there is nothing at the path.
        private static func methods(_ segments: [String], isSession: Bool) -> String? {
            let reading = "GET, HEAD"
            switch (segments.count, segments.last) {
            case (1, "healthz"), (1, "readyz"), (1, "metrics"), (1, "openapi.json"): return reading
            case (2, _) where segments == ["v1", "sessions"]: return "POST"
            case (3, _) where isSession: return reading + ", DELETE"
            case (4, "submission") where isSession, (4, "cancel") where isSession: return "POST"
            case (4, "verified-claims") where isSession: return reading
            default: return nil
            }
        }

        /// The pattern, which is what logs and metrics show: never the path itself.
        var pattern: String {
            switch self {
            case .health: "/healthz"
            case .readiness: "/readyz"
            case .metrics: "/metrics"
            case .openAPI: "/openapi.json"
            case .createSession: "POST /v1/sessions"
            case .readSession: "GET /v1/sessions/{id}"
            case .eraseSession: "DELETE /v1/sessions/{id}"
            case .submit: "POST /v1/sessions/{id}/submission"
            case .cancel: "POST /v1/sessions/{id}/cancel"
            case .verifiedClaims: "GET /v1/sessions/{id}/verified-claims"
            case .wrongMethod: "wrong method"
            case .unknown: "unknown"
            }
        }

        /// Whether it is asked so often by machines that its lines would drown the others.
        var isProbe: Bool {
            switch self {
            case .health, .readiness, .metrics: true
            case .openAPI, .createSession, .readSession, .eraseSession, .submit, .cancel, .verifiedClaims,
                .wrongMethod, .unknown:
                false
            }
        }
    }
}
