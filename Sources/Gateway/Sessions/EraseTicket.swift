import CBOR
import VerificationCore

/// What the erasure at the providers needs once the session's own key is gone: whom to ask, and each one's challenge.
/// It says nothing of the person. It is sealed by the gateway's own key.
struct EraseTicket: Sendable {
    /// One provider that was given the evidence.
    struct Target: Sendable {
        var verifier: VerifierID
        var attempt: AttemptID
        var challenge: Challenge
    }

    /// Whom to ask, in the order in which they were given the evidence.
    var targets: [Target]

    init(_ targets: [Target]) {
        self.targets = targets
    }

    /// Seals the ticket of a session.
    func sealed(
        of session: SessionID, keys: SealingKeys, using generator: inout some RandomNumberGenerator
    ) throws(SessionSeal.Problem) -> SealedBytes {
        var encoder = CBOREncoder()
        encoder.array(count: targets.count)
        for target in targets {
            encoder.map(count: 3)
            encoder.text("verifier")
            encoder.text(target.verifier.rawValue)
            encoder.text("attempt")
            encoder.text(target.attempt.rawValue)
            encoder.text("challenge")
            ChallengeCoding.encode(target.challenge, into: &encoder)
        }
        return try SessionSeal.sealTicket(encoder.bytes, of: session, keys: keys, using: &generator)
    }

    /// Opens the ticket of a session.
    init(opening sealed: SealedBytes, of session: SessionID, keys: SealingKeys) throws(SessionSeal.Problem) {
        let bytes = try SessionSeal.openTicket(sealed, of: session, keys: keys)
        do {
            var targets: [Target] = []
            for item in try CBORDocument(bytes).root.array() {
                targets.append(
                    Target(
                        verifier: VerifierID(try item.require("verifier").text()),
                        attempt: AttemptID(try item.require("attempt").text()),
                        challenge: try ChallengeCoding.challenge(try item.require("challenge"))))
            }
            self.targets = targets
        } catch {
            throw SessionSeal.Problem.damaged
        }
    }
}
