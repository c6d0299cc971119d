import HTTPServer
import VerificationCore

extension Gateway {
    /// The endpoints. A path that is known with another method is `wrongMethod`.
    enum Route: Sendable {
        case health, readiness, metrics, openAPI
        case createSession
        case readSession(SessionID), eraseSession(SessionID), submit(SessionID), cancel(SessionID)
        case verifiedClaims(SessionID)
        case wrongMethod, unknown

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
            default: self = Route.isKnown(segments, isSession: isSession) ? .wrongMethod : .unknown
            }
        }

        private static func isKnown(_ segments: [String], isSession: Bool) -> Bool {
            switch segments.count {
            case 1: ["healthz", "readyz", "metrics", "openapi.json"].contains(segments[0])
            case 2: segments == ["v1", "sessions"]
            case 3: isSession
            case 4: isSession && ["submission", "cancel", "verified-claims"].contains(segments[3])
            default: false
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
