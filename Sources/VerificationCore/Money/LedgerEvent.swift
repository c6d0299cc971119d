/// An event in its place in the chain.
public struct LedgerEvent: Sendable, Hashable {
    /// Its place, from 1 without gaps.
    public let sequence: Int64
    /// What happened.
    public let draft: LedgerDraft
    /// The hash of the event before; 32 zero bytes for the first.
    public let previousHash: [UInt8]
    /// SHA-256 over the event's canonical encoding, which includes `previousHash`.
    public let hash: [UInt8]

    /// An event of the chain.
    public init(sequence: Int64, draft: LedgerDraft, previousHash: [UInt8], hash: [UInt8]) {
        self.sequence = sequence
        self.draft = draft
        self.previousHash = previousHash
        self.hash = hash
    }
}
