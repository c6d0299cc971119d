/// Where sessions and the ledger live. Each method is one atomic, durable transaction.
///
/// Nothing here bars several machines on one database: no method returns before its effect is durable, and every
/// decision between writers is a compare-and-set inside the store.
public protocol Store: WaitingStore, Outbox, OperatorStore, UsageStore, AuditStore {
    /// Writes a new session, its idempotency key and its ledger events together.
    ///
    /// A key that the client used before gives `.existing` and writes nothing; the caller compares the body hash.
    /// Throws `.alreadyExists` for an identifier or a nonce that a session of the store has.
    ///
    /// Like every method that takes ledger events, it throws `.conflict`, with nothing written, where one would be the
    /// second `started`, the second of `ended` and `uncertain`, or the second `resolved` of its attempt and call, or the
    /// second `closed` of its month.
    func create(
        _ session: SessionRecord, idempotency: IdempotencyRecord?, ledger: [LedgerDraft]
    ) async throws(StoreError) -> CreateOutcome

    /// One session. Throws `.notFound`.
    func session(_ id: SessionID) async throws(StoreError) -> SessionRecord

    /// The record under which a client used an idempotency key, or `nil`.
    func idempotency(_ key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord?

    /// Claims a session for verification: `created` → `processing`, in one statement, before its `expiresAt` has
    /// passed (the session still exists at exactly that instant). Throws `.notFound`, and `.conflict` for an
    /// idempotency key that was used for something else.
    func claim(
        _ id: SessionID, at now: Timestamp, processingDeadline: Timestamp, idempotency: IdempotencyRecord?,
        ledger: [LedgerDraft]
    ) async throws(StoreError) -> ClaimOutcome

    /// Ends a session in `processing`, with its ledger events, and counts incidents. Throws `.notFound`; `.conflict`,
    /// with nothing written, where the session is not in `processing`. A session erased meanwhile ends without a
    /// sealed result; the ticket of its ending goes to the outbox at once.
    func conclude(
        _ id: SessionID, with ending: SessionEnding, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord

    /// `created` → `cancelled`. Throws `.notFound`, and `.conflict` in any other state.
    func cancel(_ id: SessionID, reason: String?, at now: Timestamp) async throws(StoreError) -> SessionRecord

    /// Ends every `created` session whose `expiresAt` lies before `now` as `expired`; returns how many. Like
    /// `eraseDue` and `purge`, it may take several transactions, so that one of many sessions holds up nobody.
    func expire(at now: Timestamp) async throws(StoreError) -> Int

    /// Ends every `processing` session whose deadline lies before `now` as `failed`, with the code; returns them.
    /// With `now` nil, every `processing` session, whatever its deadline: at start there is no live worker.
    func failProcessing(deadlineBefore now: Timestamp?, endedAt: Timestamp, as failure: FailureCode)
        async throws(StoreError) -> [SessionRecord]

    /// Destroys a session's key, sealed parts and reference index. Erasing twice is harmless. Throws `.notFound`.
    ///
    /// A session that still waits for a submission cannot be verified without them: it is cancelled by the same step.
    /// One in `processing` goes on to its verdict. What the provider is to erase goes to the outbox, and who had it
    /// erased to the audit chain. Throws `.held` for a session under a legal hold.
    func erase(_ id: SessionID, by actor: String, at now: Timestamp) async throws(StoreError) -> SessionRecord

    /// Erases every session whose `eraseAt` is not after `now` and that no hold keeps; returns how many. The erased
    /// bytes leave the write-ahead log too.
    func eraseDue(at now: Timestamp) async throws(StoreError) -> Int

    /// Removes ended sessions whose `endedAt` lies before the instant, with their idempotency keys and messages, and
    /// notices taken before it; the ledger stays, and so does an erasure that a provider still waits for. Sessions
    /// under a hold stay; those with a contract stay until they are erased, and as long after that as others.
    func purge(endedBefore: Timestamp, at now: Timestamp) async throws(StoreError) -> Int

    /// Writes events of the ledger that change no session, such as a verdict that came after its session had failed.
    func append(_ events: [LedgerDraft]) async throws(StoreError)

    /// Events of the ledger in order, from `sequence` on, at most `limit`.
    func ledger(from sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent]

    /// How many sessions are in each state.
    func counts() async throws(StoreError) -> [SessionStatus: Int]

    /// How often each incident was counted since the store was made.
    func incidents() async throws(StoreError) -> [Incident: Int]

    /// The names of the sealing keys that sessions of the store are still sealed with.
    func sealingKeyNames() async throws(StoreError) -> Set<String>

    /// A small value kept by name, such as the check value of a sealing key.
    func setting(_ name: String) async throws(StoreError) -> [UInt8]?

    /// Keeps a value under a name that has none yet, and returns what the name holds afterwards.
    func keepSetting(_ name: String, _ value: [UInt8]) async throws(StoreError) -> [UInt8]

    /// Really writes, and throws where the store cannot.
    func probe(at now: Timestamp) async throws(StoreError)

    /// Finishes what was accepted and refuses the rest with `.closed`.
    func close() async
}

extension Store {
    /// Erases a session where nobody asked for it but the gateway itself.
    public func erase(_ id: SessionID, at now: Timestamp) async throws(StoreError) -> SessionRecord {
        try await erase(id, by: AuditDraft.gateway, at: now)
    }

    /// Removes ended sessions at the very instant that they ended before.
    public func purge(endedBefore instant: Timestamp) async throws(StoreError) -> Int {
        try await purge(endedBefore: instant, at: instant)
    }
}
