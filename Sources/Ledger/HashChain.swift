import Cryptography
public import VerificationCore

/// An event of a chain in which each hash covers the event and the hash of the one before it.
public protocol ChainEvent: Sendable, Equatable {
    /// What an event says, before it has its place.
    associatedtype Draft: Sendable

    /// Its place, from 1 without gaps.
    var sequence: Int64 { get }
    /// What it says.
    var draft: Draft { get }
    /// Its hash.
    var hash: [UInt8] { get }

    /// An event in its place.
    init(sequence: Int64, draft: Draft, previousHash: [UInt8], hash: [UInt8])

    /// The bytes that its hash is taken over.
    static func canonicalBytes(_ draft: Draft, sequence: Int64, previousHash: [UInt8]) -> [UInt8]
}

/// What the ledger's chain and the audit chain have in common: no event can be changed, taken out or put in without
/// breaking every hash after it.
///
/// What a chain alone cannot show is that its newest events were cut off: whoever needs that compares the last hash
/// with one that was written down elsewhere.
public enum HashChain<Event: ChainEvent> {
    /// The hash that the first event names as the one before it.
    public static var genesis: [UInt8] { [UInt8](repeating: 0, count: 32) }

    /// Puts an event at the end of the chain; `nil` stands for a chain without events.
    public static func append(_ draft: Event.Draft, after last: Event?) -> Event {
        append(draft, afterSequence: last?.sequence ?? 0, hash: last?.hash ?? genesis)
    }

    /// Puts an event after the one with the given sequence number and hash; 0 and ``genesis`` for an empty chain.
    public static func append(_ draft: Event.Draft, afterSequence sequence: Int64, hash: [UInt8]) -> Event {
        let next = sequence + 1
        return Event(
            sequence: next, draft: draft, previousHash: hash,
            hash: Hash.sha256(Event.canonicalBytes(draft, sequence: next, previousHash: hash)))
    }

    /// The sequence number of the first event that is changed, missing or out of place; `nil` where the chain holds.
    ///
    /// A chain may be verified in pieces: `after` is the last event of the piece before, which was verified already.
    public static func verify(_ events: some Sequence<Event>, after: Event? = nil) -> Int64? {
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

extension LedgerEvent: ChainEvent {
    public static func canonicalBytes(_ draft: LedgerDraft, sequence: Int64, previousHash: [UInt8]) -> [UInt8] {
        LedgerChain.canonicalBytes(draft, sequence: sequence, previousHash: previousHash)
    }
}
