import HTTPServer
import JSONTree
import VerificationCore

/// `POST /v1/config/reload`: brings the newest configuration into service, or says everything that is wrong with it.
struct ReloadConfiguration: Sendable {
    let gateway: Gateway

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.operator)
        guard request.http.body.isEmpty else {
            throw Problem(.requestInvalid, "the body must be empty: the configuration is read from its file")
        }
        // It is carried through whether or not the caller stays to hear of it.
        let report = await Task { [gateway] in await gateway.reload(by: client.id.rawValue) }.value
        switch report.outcome {
        case .applied: return Answer(.json(200, ReloadRendering.report(report)))
        case .refused: throw Problem(.configurationInvalid, problems: report.problems)
        }
    }
}

/// Reloads as JSON.
enum ReloadRendering {
    static func report(_ report: ReloadReport) -> JSONValue {
        .object([
            ("at", SessionRendering.time(report.at)),
            ("outcome", .string(report.outcome.rawValue)),
            ("configuration_version", .string(report.version)),
            ("previous_version", .string(report.previousVersion)),
            ("problems", problems(report.problems)),
        ])
    }

    static func problems(_ problems: [ReloadProblem]) -> JSONValue {
        .array(
            problems.map {
                .object([
                    ("path", .string($0.path)), ("line", $0.line.map { .integer($0) } ?? .null),
                    ("problem", .string($0.problem)),
                ])
            })
    }
}
