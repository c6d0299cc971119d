import HTTPServer
import JSONTree
import VerificationCore

/// `POST /v1/sessions/{id}/cancel`: the wallet gave no answer, and why.
struct CancelSession: Sendable {
    /// What the app may report.
    enum Outcome: String, CaseIterable, Sendable {
        case userDeclined = "user_declined"
        case documentUnavailable = "document_unavailable"
        case walletError = "wallet_error"
        case other
    }

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let outcome = try RequestBody.object(request.http) { reader throws(Problem) in
            reader.enumeration("outcome", as: Outcome.self)
        }
        let session = try await sessions.ownSession(id, of: client)
        let now = sessions.clock.now()
        // A repeat of a cancellation is answered again: the first answer may have been lost.
        if session.status == .cancelled {
            return Answer(.session(try sessions.view(session), status: 200), session: session)
        }
        let cancelled: SessionRecord
        do throws(StoreError) {
            cancelled = try await sessions.store.cancel(id, reason: outcome?.rawValue, at: now)
        } catch {
            throw error == .conflict ? Problem(.sessionNotCancellable) : sessions.problem(error)
        }
        sessions.count(cancelled)
        if let attempt = cancelled.attempt { sessions.budgets.release(attempt) }
        sessions.waiters.wake(id)
        return Answer(.session(try sessions.view(cancelled), status: 200), session: cancelled)
    }
}
