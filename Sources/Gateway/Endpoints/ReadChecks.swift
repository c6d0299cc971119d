import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/sessions/{id}/checks`: one session as operators see it, with its checks and its calls. Its result is the
/// app's alone: nothing that is sealed is opened here.
struct ReadChecks: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.operator)
        try QueryReader(request.http.query).rejectUnknown(known: "none")
        let record = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.session(id)
        }
        try await sessions.audit(.checksRead, by: client, session: record)
        let events = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.ledger(of: id)
        }
        var members = OperatorRendering.session(record)
        members.append(
            ("checks", record.report.map { SessionRendering.checks($0, kind: record.verifierKind) } ?? .array([])))
        members.append(("certification", record.certification.map { SessionRendering.certification($0) } ?? .null))
        members.append(("provider_reference", .string(orNull: record.providerReference)))
        members.append(("waiting", record.wait.map(OperatorRendering.wait) ?? .null))
        members.append(("calls", .array(events.map(OperatorRendering.event))))
        return Answer(.json(200, .object(members)), session: record)
    }
}
