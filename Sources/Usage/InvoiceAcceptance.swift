public import Billing
public import VerificationCore

/// Compares an invoice with the ledger and writes what is accepted of it, each finding once: a correction that the ledger
/// holds is part of the account that the invoice is compared with.
public struct InvoiceAcceptance: Sendable {
    /// Why nothing was written.
    public enum Refusal: Error, Sendable, Hashable {
        /// The verifier's prices are in another currency: the difference of two currencies is nothing.
        case currencyDiffers(Currency)
        /// Others wrote corrections or closed a month meanwhile, each time; another try may do.
        case overtaken
        /// The store failed.
        case store(StoreError)
    }

    /// What was written.
    public struct Accepted: Sendable {
        /// The comparison that it was written by.
        public let reconciliation: Reconciliation
        /// How many events.
        public let written: Int
    }

    /// How often it is tried again when others settle things meanwhile: people do, and few.
    static let tries = 5

    private let store: any UsageStore
    private let reporter: UsageReporter

    /// Accepts findings in a store, by a price book.
    public init(_ store: any UsageStore, book: PriceBook) {
        self.store = store
        reporter = UsageReporter(store, book: book)
    }

    /// Writes the findings of the order's kinds.
    public func accept(
        _ lines: [InvoiceLine], _ order: AcceptedFindings.Order
    ) async throws(Refusal) -> Accepted {
        if let prices = reporter.book.verifiers[order.verifier], prices.currency != order.currency {
            throw .currencyDiffers(prices.currency)
        }
        do {
            for _ in 0..<Self.tries {
                if let accepted = try await attempt(lines, order) { return accepted }
            }
        } catch {
            throw .store(error)
        }
        throw .overtaken
    }

    /// One try; `nil` where something was settled meanwhile.
    private func attempt(
        _ lines: [InvoiceLine], _ order: AcceptedFindings.Order
    ) async throws(StoreError) -> Accepted? {
        let head = try await store.ledgerHead()
        let found = try await InvoiceReconciler(reporter).reconcile(lines, of: order.verifier, month: order.month)
        let accepted = found.findings.filter { order.kinds.contains($0.kind) }
        var events: [Int64: LedgerDraft] = [:]
        let sequences = accepted.compactMap { $0.call?.sequence }
        for start in stride(from: 0, to: sequences.count, by: UsageReporter.pageSize) {
            let page = Array(sequences[start..<min(start + UsageReporter.pageSize, sequences.count)])
            for event in try await store.ledgerEvents(page) { events[event.sequence] = event.draft }
        }
        let drafts = AcceptedFindings(order, events: events).drafts(for: accepted)
        guard !drafts.isEmpty else { return Accepted(reconciliation: found, written: 0) }
        do throws(StoreError) {
            try await store.append(drafts, unlessSettledAfter: head)
        } catch {
            guard error == .conflict else { throw error }
            return nil
        }
        return Accepted(reconciliation: found, written: drafts.count)
    }
}
