/// What went wrong in a store.
public enum StoreError: String, Error, Sendable, CaseIterable, Hashable {
    /// No such session.
    case notFound = "not_found"
    /// The identifier or the nonce was used before.
    case alreadyExists = "already_exists"
    /// The session's state does not allow it; nothing was written.
    case conflict
    /// The session is under a legal hold; nothing was written.
    case held
    /// The disk is full, or the queue of writes is: nothing was written, a retry may help.
    case unavailable
    /// The database is damaged or is not ours.
    case corrupt
    /// The store is closed.
    case closed
    /// Any other fault.
    case `internal`
}
