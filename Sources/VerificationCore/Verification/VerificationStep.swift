/// A call to a verifier's other side.
public enum VerificationStep: String, Sendable, CaseIterable, Hashable {
    /// Opens a verification there.
    case begin
    /// Hands the evidence over.
    case submit
    /// Asks whether the verdict is there.
    case poll
    /// Asks what became of a submission whose answer was lost.
    case fetch
    /// Erases what the other side keeps.
    case erase
}
