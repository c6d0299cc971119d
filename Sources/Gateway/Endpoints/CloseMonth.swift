import Billing
import HTTPServer
import JSONTree
import Usage
import VerificationCore

/// `POST /v1/usage/closings`: freezes a month.
struct CloseMonth: Sendable {
    /// A sentence; it is kept for ever.
    static let longestNote = 500
    /// As a month is written.
    private static let monthLength = 7

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.finance)
        let (text, includesUnsettled, note) = try RequestBody.object(request.http) { reader throws(Problem) in
            (
                reader.string("month", limit: Self.monthLength), reader.optionalBoolean("include_unsettled") ?? false,
                reader.optionalString("note", limit: Self.longestNote)
            )
        }
        guard let month = text.flatMap({ BillingMonth($0) }) else {
            throw Problem(.requestInvalid, "month must be a month such as 2026-11")
        }
        let closed = try await UsageService(sessions: sessions).close(
            month, includingUnsettled: includesUnsettled, note: note, by: client)
        let draft = closed.event.draft
        return Answer(
            .json(
                201,
                .object([
                    ("month", .string(month.description)), ("sequence", .integer(closed.event.sequence)),
                    ("at", SessionRendering.time(draft.at)), ("by", .string(orNull: draft.actor)),
                    ("note", .string(orNull: draft.note)),
                    ("statement", .string(orNull: draft.statement.map { ByteText.hex($0) })),
                ]), headers: [("Location", "/v1/usage/closings/\(month)")]))
    }
}
