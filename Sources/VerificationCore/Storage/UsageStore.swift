/// What reports, closings and reconciliations read of the ledger. A store keeps the calls beside the events, in the same
/// transactions, so that a month of a million calls is read in a second.
public protocol UsageReading: Sendable {
    /// The names behind the numbers of calls; a number keeps its name for ever.
    func usageNames() async throws(StoreError) -> UsageNames

    /// The verifiers that have calls.
    func usageVerifiers() async throws(StoreError) -> [VerifierID]

    /// Calls of a verifier whose time, by the rule, lies in the half-open range, in the order of that time and then of
    /// their sequence numbers; at most `limit`, after the cursor's. Only those of which an event was written after
    /// `changedAfter`, which finds what is late for a month that is closed; 0 finds all.
    func usageCalls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int
    ) async throws(StoreError) -> [UsageCall]

    /// Events by their sequence numbers, in that order: with the identifiers that ``UsageCall`` leaves out. Numbers that
    /// no event has are left out.
    func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent]

    /// The `adjusted` and `closed` events after a sequence number, oldest first.
    func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent]

    /// All `closed` events, oldest first.
    func closings() async throws(StoreError) -> [LedgerEvent]

    /// The statement of a closed month, as it was written.
    func statement(of month: String) async throws(StoreError) -> [UInt8]?

    /// The sequence number of the newest event; 0 for an empty ledger.
    func ledgerHead() async throws(StoreError) -> Int64
}

/// What finance writes.
public protocol UsageStore: UsageReading {
    /// Writes the closing of a month with its statement, and the adjustments that belong to it, in one transaction.
    ///
    /// Throws `.conflict`, with nothing written, where the month is closed already, or where an event was appended after
    /// `head` that the statement might have to hold: one that settles or corrects something, or one of a call with a time
    /// before `monthEnd`. Calls of later months go on meanwhile and hinder nothing.
    func close(
        _ closing: LedgerDraft, adjustments: [LedgerDraft], statement: [UInt8], head: Int64, monthEnd: Timestamp
    ) async throws(StoreError) -> LedgerEvent

    /// Whether no event after `head` settles or corrects something, or is of a call with a time before an instant: what
    /// was read of that time when the ledger's head was `head` is still so.
    func isUntouched(after head: Int64, before end: Timestamp) async throws(StoreError) -> Bool

    /// Writes corrections. Throws `.conflict`, with nothing written, where an `adjusted`, a `closed` or a `resolved` was
    /// appended after `head`: what they were reckoned from is no longer so.
    func append(_ events: [LedgerDraft], unlessSettledAfter head: Int64) async throws(StoreError)
}

/// A place among calls.
public struct UsageCursor: Sendable, Hashable {
    /// The time of the last call seen, by the rule it is read by.
    public let time: Timestamp
    /// Its sequence number.
    public let sequence: Int64

    /// A place.
    public init(time: Timestamp, sequence: Int64) {
        self.time = time
        self.sequence = sequence
    }
}
