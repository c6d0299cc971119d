import Billing
import HTTPServer
import Usage
import VerificationCore

/// `GET /v1/usage/closings/{month}`: the statement of a closed month, byte for byte as it was written: its SHA-256 is
/// the one in the ledger.
struct ReadStatement: Sendable {
    let sessions: SessionService

    func answer(_ request: GatewayRequest, month text: String) async throws(Problem) -> Answer {
        _ = try request.client(.finance)
        guard let month = BillingMonth(text) else { throw Problem(.statementNotFound) }
        let bytes = try await UsageService(sessions: sessions).statement(of: month)
        return Answer(.file(bytes, type: "application/json", name: "statement-\(month).json"))
    }
}
