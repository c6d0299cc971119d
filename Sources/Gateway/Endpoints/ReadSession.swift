import HTTPServer
import VerificationCore

/// `GET /v1/sessions/{id}`, with `?wait=` seconds for its end.
struct ReadSession: Sendable {
    /// Below the idle time-outs of common proxies, in seconds.
    static let maximumWait = 30

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: SessionID) async throws(Problem) -> Answer {
        let client = try request.client(.app)
        let wait = try seconds(request.http.query)
        var record = try await sessions.ownSession(id, of: client)
        if wait > 0, !record.status.isFinal {
            await sessions.waiters.wait(for: id, upTo: .seconds(wait)) { [sessions] in
                (try? await sessions.store.session(id))?.status.isFinal ?? true
            }
            record = try await sessions.ownSession(id, of: client)
        }
        return Answer(.session(try sessions.view(record), status: 200), session: record)
    }

    private func seconds(_ query: [(String, String)]) throws(Problem) -> Int {
        guard query.allSatisfy({ $0.0 == "wait" }), query.count <= 1 else {
            throw Problem(.requestInvalid, "the only query parameter is wait")
        }
        guard let text = query.first?.1 else { return 0 }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text),
            seconds <= Self.maximumWait
        else { throw Problem(.requestInvalid, "wait must be a whole number of seconds from 0 to 30") }
        return seconds
    }
}
