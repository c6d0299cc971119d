import Cryptography
public import VerificationCore

/// The chain of the ledger: each event's hash covers the event and the hash of the one before it, so that no event can
/// be changed, taken out or put in without breaking every hash after it.
///
/// What the chain alone cannot show is that its newest events were cut off: whoever needs that compares the last hash
/// with one that was written down elsewhere (a closed month's statement holds it).
public enum LedgerChain {
    /// The hash that the first event names as the one before it.
    public static let genesis = [UInt8](repeating: 0, count: 32)

    /// Puts an event at the end of the chain; `nil` stands for a chain without events.
    public static func append(_ draft: LedgerDraft, after last: LedgerEvent?) -> LedgerEvent {
        append(draft, afterSequence: last?.sequence ?? 0, hash: last?.hash ?? genesis)
    }

    /// Puts an event after the one with the given sequence number and hash; 0 and ``genesis`` for an empty chain.
    public static func append(_ draft: LedgerDraft, afterSequence sequence: Int64, hash: [UInt8]) -> LedgerEvent {
        let next = sequence + 1
        return LedgerEvent(
            sequence: next, draft: draft, previousHash: hash,
            hash: Hash.sha256(canonicalBytes(draft, sequence: next, previousHash: hash)))
    }

    /// The sequence number of the first event that is changed, missing or out of place; `nil` where the chain holds.
    ///
    /// A chain may be verified in pieces: `after` is the last event of the piece before, which was verified already.
    public static func verify(_ events: some Sequence<LedgerEvent>, after: LedgerEvent? = nil) -> Int64? {
        var last = after
        for event in events {
            let expected = append(event.draft, after: last)
            // Compares sequence, both hashes and the draft itself.
            guard event == expected else { return expected.sequence }
            last = event
        }
        return nil
    }
}
