import HTTPServer
import JSONTree
import Routing
import VerificationCore

/// `POST /v1/verifiers/{id}/circuit`: takes a verifier out, keeps it in whatever fails, or lets the circuit decide.
struct SetCircuit: Sendable {
    /// What a circuit can be set to.
    enum Setting: String, CaseIterable, Sendable {
        case heldOpen = "held_open"
        case heldClosed = "held_closed"
        case automatic

        var position: Circuit.Hold.Position? {
            switch self {
            case .heldOpen: .open
            case .heldClosed: .closed
            case .automatic: nil
            }
        }
    }

    /// The longest hold: whoever needs a longer one changes the configuration.
    static let longestHold = Duration.seconds(30 * 86_400)
    /// A sentence; it is kept, and shown to operators.
    static let maximumReasonLength = 200
    /// Longer than any date-time.
    private static let maximumTimeLength = 40

    let sessions: SessionService

    func answer(_ request: GatewayRequest, id: VerifierID) async throws(Problem) -> Answer {
        let client = try request.client(.operator)
        guard let opened = sessions.current.verifiers[id] else { throw Problem(.verifierNotFound) }
        let (setting, until, reason) = try RequestBody.object(request.http) { reader throws(Problem) in
            (
                reader.enumeration("state", as: Setting.self),
                reader.optionalString("until", limit: Self.maximumTimeLength),
                reader.optionalString("reason", limit: Self.maximumReasonLength)
            )
        }
        guard let setting else { throw Problem(.requestInvalid) }
        let hold = try hold(setting, until: until, reason: reason, by: client.id)
        var draft = sessions.auditDraft(.circuitSet, by: client)
        draft.subject = id.rawValue
        draft.outcome = setting.rawValue
        try await sessions.audited(draft) { [sessions] () async throws(Problem) in
            try await sessions.stored { () async throws(StoreError) in try await sessions.hold(hold, of: id) }
        }
        sessions.log(
            .warning, "an operator set a circuit", at: sessions.clock.now(),
            [(.verifier, .text(id.rawValue)), (.client, .text(client.id.rawValue)), (.state, .text(setting.rawValue))])
        var answer = Answer(.json(200, VerifierRendering(sessions).verifier(opened)))
        answer.verifier = id
        return answer
    }

    private func hold(
        _ setting: Setting, until: String?, reason: String?, by client: ClientID
    ) throws(Problem) -> CircuitHolds.Hold? {
        guard let position = setting.position else {
            guard until == nil else { throw Problem(.requestInvalid, "until belongs to held_open and held_closed") }
            return nil
        }
        let now = sessions.clock.now()
        guard let until = until.flatMap({ RFC3339.timestamp($0) }), now < until,
            until <= now.advanced(by: Self.longestHold)
        else {
            throw Problem(
                .requestInvalid, "until must be a time to come, at most 30 days ahead, such as 2026-11-30T09:00:00Z")
        }
        guard let reason, !reason.isEmpty else {
            throw Problem(.requestInvalid, "reason must say why, for whoever finds the circuit held")
        }
        return CircuitHolds.Hold(position: position, until: until, reason: reason, by: client)
    }
}
