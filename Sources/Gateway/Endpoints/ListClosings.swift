import HTTPServer
import JSONTree
import Usage
import VerificationCore

/// `GET /v1/usage/closings`: the months that are closed, oldest first.
struct ListClosings: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        _ = try request.client(.finance)
        try QueryReader(request.http.query).rejectUnknown(known: "none")
        let closings = try await UsageService(sessions: sessions).closings()
        let list = closings.map { event in
            JSONValue.object([
                ("month", .string(orNull: event.draft.month)), ("sequence", .integer(event.sequence)),
                ("at", SessionRendering.time(event.draft.at)), ("by", .string(orNull: event.draft.actor)),
                ("note", .string(orNull: event.draft.note)),
                ("statement", .string(orNull: event.draft.statement.map { ByteText.hex($0) })),
            ])
        }
        return Answer(.json(200, .object([("closings", .array(list))])))
    }
}
