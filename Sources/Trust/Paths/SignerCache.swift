import Synchronization

/// A certificate of a trusted path, who issued it, and the CRLs of files that its issuer signed.
struct RevocationStep: Sendable {
    let certificate: Certificate
    let issuer: Certificate
    let lists: [RevocationList]
}

/// Chains that were found trusted, so that the next document of the same signer costs a look-up.
///
/// The key is the whole DER of the certificates that the path went through, nothing that was sent along unused: so only
/// what an authority signed gets in, and nobody else can fill the cache. Dates, document type and revocation are judged
/// anew at every use; the trust, the profile and the lists belong to the one verifier that owns the cache.
final class SignerCache: Sendable {
    struct Entry: Sendable {
        let signer: Certificate
        let anchor: TrustAnchor
        let validity: ValidityPeriod
        let steps: [RevocationStep]
    }

    private struct Key: Sendable, Hashable {
        let chain: ArraySlice<ArraySlice<UInt8>>

        /// The end of the signer's certificate is its signature, which tells certificates apart. The comparison is over
        /// everything.
        func hash(into hasher: inout Hasher) {
            var word: UInt64 = 0
            for byte in chain.first?.suffix(8) ?? [] { word = word << 8 | UInt64(byte) }
            hasher.combine(word)
        }
    }

    private struct Slot {
        let entry: Entry
        var lastUse: UInt64
    }

    private struct State {
        var slots: [Key: Slot] = [:]
        var clock: UInt64 = 0

        mutating func take(_ key: Key) -> Entry? {
            guard let index = slots.index(forKey: key) else { return nil }
            clock += 1
            slots.values[index].lastUse = clock
            return slots.values[index].entry
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { state.withLock { $0.slots.count } }

    /// The entry of the signer alone, or of the whole chain.
    func entry(for chain: [ArraySlice<UInt8>]) -> Entry? {
        state.withLock { state in
            state.take(Key(chain: chain.prefix(1))) ?? (chain.count > 1 ? state.take(Key(chain: chain[...])) : nil)
        }
    }

    /// Keeps an entry; where the cache is full, the one that was not used for longest goes.
    func insert(_ entry: Entry, for chain: [ArraySlice<UInt8>]) {
        guard capacity > 0 else { return }
        let key = Key(chain: chain[...])
        state.withLock { state in
            state.clock += 1
            if state.slots[key] == nil, state.slots.count >= capacity,
                let oldest = state.slots.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.slots[oldest.key] = nil
            }
            state.slots[key] = Slot(entry: entry, lastUse: state.clock)
        }
    }
}
