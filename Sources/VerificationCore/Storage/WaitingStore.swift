/// What a store keeps of sessions whose verifier answers later, and of calls whose end nobody saw.
public protocol WaitingStore: Sendable {
    /// Lets a session in `processing` wait, with its ledger events. Throws `.notFound`; `.conflict`, with nothing
    /// written, where it is not in `processing`.
    func suspend(
        _ id: SessionID, _ suspension: Suspension, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord

    /// Takes the sessions in `processing` whose verifier is to be asked by now, at most `limit`, and puts their
    /// `nextAt` off until `lease`, so that nobody else asks meanwhile.
    func takeDueWaits(at now: Timestamp, lease: Timestamp, limit: Int) async throws(StoreError) -> [SessionRecord]

    /// `started` events without `ended` or `uncertain` for the same attempt and call, oldest first, at most `limit`.
    func openCalls(limit: Int) async throws(StoreError) -> [LedgerEvent]

    /// `uncertain` events without `resolved` for the same attempt and call, oldest first, after a sequence number, at
    /// most `limit`.
    func uncertainCalls(after sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent]

    /// The ledger's events of one session, oldest first.
    func ledger(of session: SessionID) async throws(StoreError) -> [LedgerEvent]

    /// The session that a verifier's provider knows by a reference, or `nil`.
    func session(of verifier: VerifierID, providerReference: String) async throws(StoreError) -> SessionRecord?

    /// Notes that a notice was taken: `true` the first time, `false` for a duplicate. Notices go with `purge`.
    func takeNotice(_ id: String, of verifier: VerifierID, at now: Timestamp) async throws(StoreError) -> Bool
}

/// What changes when a session in `processing` goes on waiting. What is `nil` stays as it was, but for the wait.
public struct Suspension: Sendable, Hashable {
    /// The wait; `nil` where nothing is to be asked.
    public var wait: ProviderWait?
    /// The provider's reference.
    public var providerReference: String?
    /// The sealed context with the verifier's memory.
    public var sealedContext: SealedBytes?
    /// What the provider's erasure will need.
    public var eraseTicket: SealedBytes?

    /// A suspension.
    public init(wait: ProviderWait?) {
        self.wait = wait
    }
}
