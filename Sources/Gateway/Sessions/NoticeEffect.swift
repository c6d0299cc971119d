import VerificationCore

/// What became of an authentic notice. The provider is answered with success for each: none would be better for being
/// sent again.
enum NoticeEffect: String, Sendable, CaseIterable, Hashable {
    /// It ended its session.
    case concluded
    /// It says that something is to be had; it is fetched beside the answer.
    case fetching
    /// It says that the verdict is still to come, or speaks of a session that was not submitted yet.
    case noted
    /// It was taken before, and did its work then.
    case duplicate
    /// Its session had ended: an event of the ledger at most, never a status.
    case late
    /// No session of the verifier is known by its reference.
    case unknownReference = "unknown_reference"
    /// It is not what the verifier's description of its provider knows; the session goes on waiting.
    case unusable
}

extension SessionService {
    /// Takes what a verifier's provider sent: authenticates it, finds the session and does what follows.
    ///
    /// Throws `unauthorized` for a signature that is missing, wrong or outside its time, `forbidden` for a session of
    /// another verifier, `requestInvalid` for an authentic notice that says nothing, `routeNotFound` where the verifier
    /// takes none. What throws has changed nothing.
    func receiveNotice(
        _ notification: Notification, for verifier: VerifierID
    ) async throws(Problem) -> NoticeEffect {
        throw Problem(.routeNotFound)
    }
}
