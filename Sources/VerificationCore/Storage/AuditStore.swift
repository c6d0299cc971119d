/// Reads the audit chain.
public protocol AuditReading: Sendable {
    /// Events in order, from `sequence` on, at most `limit`.
    func audit(from sequence: Int64, limit: Int) async throws(StoreError) -> [AuditEvent]

    /// Events that match, newest first, before a sequence number where one is given, at most `limit`.
    func audit(_ filter: AuditFilter, before sequence: Int64?, limit: Int) async throws(StoreError) -> [AuditEvent]
}

/// The audit chain, and what the law asks of sessions beside their verdict.
///
/// A store writes the events of what it does itself in the same transaction: erasures and removals, incidents of a
/// session's end, contracts and holds.
public protocol AuditStore: AuditReading {
    /// Puts events at the end of the chain; returns them as they stand there.
    @discardableResult
    func appendAudit(_ drafts: [AuditDraft]) async throws(StoreError) -> [AuditEvent]

    /// Keeps when a session's contract began and ended, and when its claims are therefore erased; `nil` until nobody
    /// knows when. Throws `.notFound`, and `.conflict` for a session that is erased or has no verdict of verified.
    func setContract(
        _ contract: Contract, eraseAt: Timestamp?, of id: SessionID, audit: AuditDraft
    ) async throws(StoreError) -> SessionRecord

    /// Puts a session under a hold, or lifts the one that it is under. Throws `.notFound`, and `.conflict` where it is
    /// held already, or is not.
    func setHold(_ hold: LegalHold?, of id: SessionID, audit: AuditDraft) async throws(StoreError) -> SessionRecord

    /// The message of a name, whether it waits or was given up; `nil` where there is none, because it was delivered or
    /// never written.
    func message(_ id: OutboxMessage.ID) async throws(StoreError) -> OutboxMessage?
}
