public import VerificationCore

/// The chain of the ledger; a closed month's statement holds its last hash.
public enum LedgerChain {
    /// The hash that the first event names as the one before it.
    public static let genesis = HashChain<LedgerEvent>.genesis

    /// Puts an event at the end of the chain; `nil` stands for a chain without events.
    public static func append(_ draft: LedgerDraft, after last: LedgerEvent?) -> LedgerEvent {
        HashChain.append(draft, after: last)
    }

    /// Puts an event after the one with the given sequence number and hash; 0 and ``genesis`` for an empty chain.
    public static func append(_ draft: LedgerDraft, afterSequence sequence: Int64, hash: [UInt8]) -> LedgerEvent {
        HashChain.append(draft, afterSequence: sequence, hash: hash)
    }

    /// The sequence number of the first event that is changed, missing or out of place; `nil` where the chain holds.
    ///
    /// A chain may be verified in pieces: `after` is the last event of the piece before, which was verified already.
    public static func verify(_ events: some Sequence<LedgerEvent>, after: LedgerEvent? = nil) -> Int64? {
        HashChain.verify(events, after: after)
    }
}
