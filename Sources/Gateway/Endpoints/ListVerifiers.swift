import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/verifiers`: how each verifier is.
struct ListVerifiers: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest) throws(Problem) -> Answer {
        _ = try request.client(.operator)
        let query = QueryReader(request.http.query)
        try query.rejectUnknown(known: "none")
        let running = sessions.current
        let verifiers = running.verifiers.values.sorted { $0.description.id.rawValue < $1.description.id.rawValue }
        return Answer(
            .json(
                200,
                .object([
                    ("configuration_version", .string(running.settings.version)),
                    ("verifiers", .array(verifiers.map { VerifierRendering(sessions).verifier($0) })),
                ])))
    }
}
