import HTTPServer
import VerificationCore

extension Gateway {
    /// The endpoints. A path that is known with another method is `wrongMethod`.
    enum Route: Sendable {
        case health, readiness, metrics, openAPI
        case createSession, listSessions
        case readSession(SessionID), eraseSession(SessionID), submit(SessionID), cancel(SessionID)
        case verifiedClaims(SessionID), checks(SessionID)
        case record(SessionID), deletion(SessionID), tellEvent(SessionID), hold(SessionID), release(SessionID)
        case audit
        case verifiers, setCircuit(VerifierID), receiveNotice(VerifierID)
        case routes, shadow, reload
        case usage, usageAttempts, listClosings, closeMonth, readStatement(String), reconcile
        case outbox, retryMessage(OutboxMessage.ID)
        case console
        case wrongMethod(allow: String), unknown

        init(_ request: HTTPRequest) {
            // The console knows its own places, and answers what is wrong with a page.
            if request.segments.first == "console" {
                self = .console
                return
            }
            let endpoints = Route.endpoints(at: request.segments)
            if let match = endpoints.first(where: { $0.method == request.method }) {
                self = match.route
            } else if endpoints.isEmpty {
                self = .unknown
            } else {
                // The server answers HEAD wherever there is a GET (RFC 9110, 9.3.2).
                self = .wrongMethod(
                    allow: endpoints.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }
                        .joined(separator: ", "))
            }
        }

        /// What there is at a path, by method.
        private static func endpoints(at segments: [String]) -> [(method: String, route: Route)] {
            // A segment holds what was decoded, so a slash in it is no separator.
            guard segments.count <= 4, !segments.enumerated().contains(where: { $0 != 2 && $1.contains("/") }) else {
                return []
            }
            let name = segments.count > 2 ? segments[2] : ""
            let session = SessionID(name)
            let verifier = VerifierID(name)
            switch segments.enumerated().map({ $0 == 2 ? "*" : $1 }).joined(separator: "/") {
            case "healthz": return [("GET", .health)]
            case "readyz": return [("GET", .readiness)]
            case "metrics": return [("GET", .metrics)]
            case "openapi.json": return [("GET", .openAPI)]
            case "v1/sessions": return [("GET", .listSessions), ("POST", .createSession)]
            case "v1/sessions/*": return [("GET", .readSession(session)), ("DELETE", .eraseSession(session))]
            case "v1/sessions/*/submission": return [("POST", .submit(session))]
            case "v1/sessions/*/cancel": return [("POST", .cancel(session))]
            case "v1/sessions/*/verified-claims": return [("GET", .verifiedClaims(session))]
            case "v1/sessions/*/checks": return [("GET", .checks(session))]
            case "v1/sessions/*/record": return [("GET", .record(session))]
            case "v1/sessions/*/deletion": return [("GET", .deletion(session))]
            case "v1/sessions/*/events": return [("POST", .tellEvent(session))]
            case "v1/sessions/*/hold": return [("POST", .hold(session)), ("DELETE", .release(session))]
            case "v1/audit": return [("GET", .audit)]
            case "v1/verifiers": return [("GET", .verifiers)]
            case "v1/verifiers/*/circuit": return [("POST", .setCircuit(verifier))]
            case "v1/verifiers/*/webhooks": return [("POST", .receiveNotice(verifier))]
            case "v1/routes": return [("GET", .routes)]
            case "v1/shadow": return [("GET", .shadow)]
            case "v1/config/*" where name == "reload": return [("POST", .reload)]
            case "v1/usage": return [("GET", .usage)]
            case "v1/usage/*" where name == "attempts": return [("GET", .usageAttempts)]
            case "v1/usage/*" where name == "closings": return [("GET", .listClosings), ("POST", .closeMonth)]
            case "v1/usage/*" where name == "reconciliations": return [("POST", .reconcile)]
            case let path where path.hasPrefix("v1/usage/*/") && name == "closings":
                return [("GET", .readStatement(segments[3]))]
            case "v1/outbox": return [("GET", .outbox)]
            case "v1/outbox/*/retry": return [("POST", .retryMessage(name))]
            default: return []
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
            case .listSessions: "GET /v1/sessions"
            case .readSession: "GET /v1/sessions/{id}"
            case .eraseSession: "DELETE /v1/sessions/{id}"
            case .submit: "POST /v1/sessions/{id}/submission"
            case .cancel: "POST /v1/sessions/{id}/cancel"
            case .verifiedClaims: "GET /v1/sessions/{id}/verified-claims"
            case .checks: "GET /v1/sessions/{id}/checks"
            case .record: "GET /v1/sessions/{id}/record"
            case .deletion: "GET /v1/sessions/{id}/deletion"
            case .tellEvent: "POST /v1/sessions/{id}/events"
            case .hold: "POST /v1/sessions/{id}/hold"
            case .release: "DELETE /v1/sessions/{id}/hold"
            case .audit: "GET /v1/audit"
            case .verifiers: "GET /v1/verifiers"
            case .setCircuit: "POST /v1/verifiers/{id}/circuit"
            case .receiveNotice: "POST /v1/verifiers/{id}/webhooks"
            case .routes: "GET /v1/routes"
            case .shadow: "GET /v1/shadow"
            case .reload: "POST /v1/config/reload"
            case .usage: "GET /v1/usage"
            case .usageAttempts: "GET /v1/usage/attempts"
            case .listClosings: "GET /v1/usage/closings"
            case .closeMonth: "POST /v1/usage/closings"
            case .readStatement: "GET /v1/usage/closings/{month}"
            case .reconcile: "POST /v1/usage/reconciliations"
            case .outbox: "GET /v1/outbox"
            case .retryMessage: "POST /v1/outbox/{id}/retry"
            case .console: "/console"
            case .wrongMethod: "wrong method"
            case .unknown: "unknown"
            }
        }

        /// Whether it is asked so often by machines that its lines would drown the others.
        var isProbe: Bool {
            switch self {
            case .health, .readiness, .metrics: true
            case .openAPI, .createSession, .listSessions, .readSession, .eraseSession, .submit, .cancel,
                .verifiedClaims, .checks, .record, .deletion, .tellEvent, .hold, .release, .audit, .verifiers,
                .setCircuit, .receiveNotice, .routes, .shadow, .reload, .outbox,
                .retryMessage, .usage, .usageAttempts, .listClosings, .closeMonth, .readStatement, .reconcile, .console,
                .wrongMethod, .unknown:
                false
            }
        }
    }
}
