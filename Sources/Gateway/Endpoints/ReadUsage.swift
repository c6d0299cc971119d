import Billing
import HTTPServer
import Usage
import VerificationCore

/// `GET /v1/usage`: what was done in a month, and what it costs.
struct ReadUsage: Sendable {
    /// The forms that it is given in.
    enum Format: String, CaseIterable, Sendable {
        case json, csv, table
    }

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.finance)
        var query = QueryReader(request.http.query)
        let month = try query.month()
        let groupings = try query.groupings()
        let format = try query.enumeration("format", as: Format.self) ?? .json
        let hasMark = try query.flag("bom")
        try query.rejectUnknown(known: "month, by, format, bom")
        try await sessions.audit(.usageRead, by: client, subject: month.description)
        let usage = try await UsageService(sessions: sessions).month(month, by: groupings)
        switch format {
        case .json: return Answer(.json(200, usage.json))
        case .csv:
            return Answer(
                .file(usage.csv(byteOrderMark: hasMark), type: UsageMedia.csv, name: "usage-\(month).csv"))
        case .table: return Answer(.file(Array(usage.table().utf8), type: UsageMedia.text))
        }
    }
}
