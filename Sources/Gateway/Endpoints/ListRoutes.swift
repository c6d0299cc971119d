import HTTPServer
import JSONTree
import Routing
import VerificationCore

/// `GET /v1/routes`: the rules that run, in the order in which they are asked.
struct ListRoutes: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest) throws(Problem) -> Answer {
        _ = try request.client(.operator)
        try QueryReader(request.http.query).rejectUnknown(known: "none")
        let settings = sessions.current.settings
        return Answer(
            .json(
                200,
                .object([
                    ("configuration_version", .string(settings.version)),
                    ("routes", .array(settings.table.rules.map(rule))),
                ])))
    }

    private func rule(_ rule: RoutingRule) -> JSONValue {
        .object([
            ("name", .string(rule.name)),
            ("purposes", texts(rule.purposes?.map(\.rawValue))),
            ("doc_types", texts(rule.documentTypes.map(Array.init))),
            ("clients", texts(rule.clients?.map(\.rawValue))),
            ("window", rule.window.map(window) ?? .null),
            (
                "targets",
                .array(
                    rule.targets.map {
                        .object([("verifier", .string($0.verifier.rawValue)), ("weight", .integer($0.weight))])
                    })
            ),
            ("fallbacks", .array(rule.fallbacks.map { .string($0.rawValue) })),
            (
                "shadow",
                rule.shadow.map {
                    .object([("verifier", .string($0.verifier.rawValue)), ("percent", .integer($0.percent))])
                } ?? .null
            ),
        ])
    }

    /// A condition that is not there holds for every session.
    private func texts(_ texts: [String]?) -> JSONValue {
        texts.map { .array($0.sorted().map { .string($0) }) } ?? .null
    }

    private func window(_ window: TimeWindow) -> JSONValue {
        .object([
            ("from", window.from.map(SessionRendering.time) ?? .null),
            ("until", window.until.map(SessionRendering.time) ?? .null),
            (
                "hours",
                window.hours.map {
                    .object([
                        ("from", .string(Self.clock($0.from))), ("until", .string(Self.clock($0.until))),
                        ("time_zone", .string($0.zone.name)),
                    ])
                } ?? .null
            ),
        ])
    }

    private static func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }
}
