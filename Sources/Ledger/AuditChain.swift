import CBOR
public import VerificationCore

/// The chain of the audit events.
public enum AuditChain {
    /// The first item of every event's encoding: it separates these hashes from all others and names the layout.
    static let layout = "sekisho-audit-1"

    /// The hash that the first event names as the one before it.
    public static let genesis = HashChain<AuditEvent>.genesis

    /// Puts an event at the end of the chain; `nil` stands for a chain without events.
    public static func append(_ draft: AuditDraft, after last: AuditEvent?) -> AuditEvent {
        HashChain.append(draft, after: last)
    }

    /// Puts an event after the one with the given sequence number and hash; 0 and ``genesis`` for an empty chain.
    public static func append(_ draft: AuditDraft, afterSequence sequence: Int64, hash: [UInt8]) -> AuditEvent {
        HashChain.append(draft, afterSequence: sequence, hash: hash)
    }

    /// The sequence number of the first event that is changed, missing or out of place; `nil` where the chain holds.
    ///
    /// A chain may be verified in pieces: `after` is the last event of the piece before, which was verified already.
    public static func verify(_ events: some Sequence<AuditEvent>, after: AuditEvent? = nil) -> Int64? {
        HashChain.verify(events, after: after)
    }
}

extension AuditEvent: ChainEvent {
    /// The bytes that an event's hash is taken over: one CBOR array in the deterministic encoding of RFC 8949
    /// section 4.2.1, with exactly these 13 items; what is absent is `null`.
    ///
    /// | item | type | content |
    /// |---|---|---|
    /// | 0 | text | the layout, `sekisho-audit-1` |
    /// | 1 | integer | sequence number, from 1 |
    /// | 2 | bytes | hash of the event before, 32 bytes |
    /// | 3 | text | action |
    /// | 4 | text | actor |
    /// | 5 | integer | time, milliseconds since 1970-01-01T00:00:00Z |
    /// | 6 | text or null | session |
    /// | 7 | text or null | the session's client |
    /// | 8 | text or null | what else it is about |
    /// | 9 | text or null | outcome |
    /// | 10 | text or null | reason |
    /// | 11 | text | configuration version |
    /// | 12 | integer or null | how many |
    ///
    /// A layout never changes; an event that needs more gets another layout name, and old events keep theirs.
    public static func canonicalBytes(_ draft: AuditDraft, sequence: Int64, previousHash: [UInt8]) -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.array(count: 13)
        encoder.text(AuditChain.layout)
        encoder.integer(sequence)
        encoder.byteString(previousHash)
        encoder.text(draft.action.rawValue)
        encoder.text(draft.actor)
        encoder.integer(draft.at.milliseconds)
        encoder.text(orNull: draft.session?.rawValue)
        encoder.text(orNull: draft.client?.rawValue)
        encoder.text(orNull: draft.subject)
        encoder.text(orNull: draft.outcome)
        encoder.text(orNull: draft.reason)
        encoder.text(draft.configurationVersion)
        encoder.integer(orNull: draft.count)
        return encoder.bytes
    }
}
