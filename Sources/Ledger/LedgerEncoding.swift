import CBOR
public import VerificationCore

extension LedgerChain {
    /// The first item of every event's encoding: it separates these hashes from all others and names the layout.
    static let layout = "sekisho-ledger-1"
    /// The layout of events that have anything that the first layout has no place for.
    static let secondLayout = "sekisho-ledger-2"

    /// The bytes that an event's hash is taken over: one CBOR array in the deterministic encoding of RFC 8949
    /// section 4.2.1, with exactly these items; what is absent is `null`.
    ///
    /// | item | type | content |
    /// |---|---|---|
    /// | 0 | text | the layout, `sekisho-ledger-1` or `sekisho-ledger-2` |
    /// | 1 | integer | sequence number, from 1 |
    /// | 2 | bytes | hash of the event before, 32 bytes |
    /// | 3 | text | kind |
    /// | 4 | text | attempt |
    /// | 5 | text | role |
    /// | 6 | text | session |
    /// | 7 | text | verifier |
    /// | 8 | text | client |
    /// | 9 | text | purpose |
    /// | 10 | text or null | the provider's reference |
    /// | 11 | integer | our time, milliseconds since 1970-01-01T00:00:00Z |
    /// | 12 | integer or null | the provider's time, likewise |
    /// | 13 | text | billable class |
    /// | 14 | integer | quantity |
    /// | 15 | text or null | outcome |
    /// | 16 | text or null | the certification's number |
    /// | 17 | text | configuration version |
    /// | 18 | integer or null | sequence number of the event that this one settles |
    ///
    /// Layout 1 ends here, with 19 items. It is the layout of exactly those events that have nothing of what follows;
    /// any other event has layout 2, with 26 items:
    ///
    /// | item | type | content |
    /// |---|---|---|
    /// | 19 | text or null | the call within the attempt |
    /// | 20 | text or null | who caused it |
    /// | 21 | text or null | why, in a person's words |
    /// | 22 | text or null | the month that it belongs to, such as `2026-11` |
    /// | 23 | integer or null | amount in minor units |
    /// | 24 | text or null | the amount's currency |
    /// | 25 | bytes or null | hash of a statement |
    ///
    /// A layout never changes; an event that needs more gets another layout name, and old events keep theirs.
    public static func canonicalBytes(_ draft: LedgerDraft, sequence: Int64, previousHash: [UInt8]) -> [UInt8] {
        let isSecond = needsSecondLayout(draft)
        var encoder = CBOREncoder()
        encoder.array(count: isSecond ? 26 : 19)
        encoder.text(isSecond ? secondLayout : layout)
        encoder.integer(sequence)
        encoder.byteString(previousHash)
        encoder.text(draft.kind.rawValue)
        encoder.text(draft.attempt.rawValue)
        encoder.text(draft.role.rawValue)
        encoder.text(draft.session.rawValue)
        encoder.text(draft.verifier.rawValue)
        encoder.text(draft.client.rawValue)
        encoder.text(draft.purpose.rawValue)
        encoder.text(orNull: draft.providerReference)
        encoder.integer(draft.at.milliseconds)
        encoder.integer(orNull: draft.providerTime?.milliseconds)
        encoder.text(draft.billableClass.rawValue)
        encoder.integer(draft.quantity)
        encoder.text(orNull: draft.outcome?.rawValue)
        encoder.text(orNull: draft.certification)
        encoder.text(draft.configurationVersion)
        encoder.integer(orNull: draft.settles)
        guard isSecond else { return encoder.bytes }
        encoder.text(orNull: draft.call?.rawValue)
        encoder.text(orNull: draft.actor)
        encoder.text(orNull: draft.note)
        encoder.text(orNull: draft.month)
        encoder.integer(orNull: draft.amount)
        encoder.text(orNull: draft.currency)
        encoder.bytes(orNull: draft.statement)
        return encoder.bytes
    }

    private static func needsSecondLayout(_ draft: LedgerDraft) -> Bool {
        draft.call != nil || draft.actor != nil || draft.note != nil || draft.month != nil || draft.amount != nil
            || draft.currency != nil || draft.statement != nil
    }
}

extension CBOREncoder {
    mutating func text(orNull value: String?) {
        if let value { text(value) } else { null() }
    }

    mutating func bytes(orNull value: [UInt8]?) {
        if let value { byteString(value) } else { null() }
    }

    mutating func integer(orNull value: Int64?) {
        if let value { integer(value) } else { null() }
    }
}
