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
