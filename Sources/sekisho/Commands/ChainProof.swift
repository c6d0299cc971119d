import Ledger
import VerificationCore

/// What reading a chain from its first event to its last one shows. It is read page by page, as long as it is.
enum ChainProof<Event: ChainEvent> {
    /// Every hash is right: so many events, and the last one's hash.
    case holds(count: Int, head: [UInt8])
    /// The sequence number of the first event that is changed, missing or out of place, or that cannot be read at all.
    case breaks(at: Int64)

    /// Reads a chain by pages, each from a sequence number on and no longer than asked for.
    init(_ page: (_ from: Int64, _ limit: Int) async throws(StoreError) -> [Event]) async throws(StoreError) {
        var last: Event?
        var count = 0
        var limit = chainPage
        while true {
            let next = (last?.sequence ?? 0) + 1
            let events: [Event]
            do throws(StoreError) {
                events = try await page(next, limit)
            } catch {
                // A changed byte may leave a word that no event has. Which one it is, is found event by event.
                guard error == .corrupt else { throw error }
                guard limit > 1 else {
                    self = .breaks(at: next)
                    return
                }
                limit = 1
                continue
            }
            guard !events.isEmpty else { break }
            if let broken = HashChain.verify(events, after: last) {
                self = .breaks(at: broken)
                return
            }
            count += events.count
            last = events.last
        }
        self = .holds(count: count, head: last?.hash ?? HashChain<Event>.genesis)
    }
}

/// Events read at once: a few megabytes.
private let chainPage = 10_000
