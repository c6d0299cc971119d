import Ledger
import Synchronization
import VerificationCore

/// How far the audit chain has been proved. What was proved once is kept, so that a page proves only what came since;
/// whether the events before were changed afterwards is found by a whole proof.
final class AuditProof: Sendable {
    /// What is known of the chain.
    struct State: Sendable {
        /// The newest event that holds with all before it.
        var last: AuditEvent?
        /// When the first event was looked at.
        var begunAt: Timestamp?
        /// The first event that is changed, missing or out of place.
        var broken: Int64?
    }

    /// Events read at once.
    static let pageSize = 1000
    /// Events that a page proves while somebody waits for it: a fraction of a second. The rest is for a whole proof.
    static let mostOnPage = 20_000

    private let known = Mutex(State())

    /// What is known.
    var state: State { known.withLock { $0 } }

    /// Proves the events that came since the last proof, or all of them `anew`; at most so many.
    func advance(
        _ store: any AuditReading, anew: Bool = false, most: Int = .max, at now: Timestamp
    ) async throws(StoreError) -> State {
        var state = anew ? State() : state
        if state.begunAt == nil { state.begunAt = now }
        var count = 0
        var page = Self.pageSize
        while state.broken == nil, count < most {
            let next = (state.last?.sequence ?? 0) + 1
            let events: [AuditEvent]
            do throws(StoreError) {
                events = try await store.audit(from: next, limit: min(page, most - count))
            } catch {
                // A changed byte may leave a word that no event has. Which one it is, is found event by event.
                guard error == .corrupt else { throw error }
                if page == 1 { state.broken = next }
                page = 1
                continue
            }
            guard let newest = events.last else { break }
            state.broken = AuditChain.verify(events, after: state.last)
            if state.broken == nil { state.last = newest }
            count += events.count
        }
        let found = state
        return known.withLock { known in
            // Two may prove at once: what a whole proof found stays until the next one.
            if anew || known.broken == nil && (known.last?.sequence ?? 0) <= (found.last?.sequence ?? 0) {
                known = found
            }
            return found
        }
    }
}
