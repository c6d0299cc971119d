import Billing
import Synchronization
import Usage
import VerificationCore

/// Months that somebody looked at, kept so that the next look reads only what is new. What is kept is never older than
/// the ledger: see ``KeptMonth``.
final class UsageCache: Sendable {
    /// As many months: this one, the one to be closed, and two to compare. Each holds four bytes a call.
    static let most = 4

    private let kept = Mutex<[KeptMonth]>([])

    /// How many are kept.
    var count: Int { kept.withLock(\.count) }

    /// A month in several shapes.
    func usages(
        of month: BillingMonth, by shapes: [[UsageGrouping]], in store: any Store, book: PriceBook, at now: Timestamp
    ) async throws(StoreError) -> [MonthlyUsage] {
        let before = kept.withLock { kept in kept.first { $0.isOf(month, shapes, book) } }
        let found = try await UsageReporter(store, book: book)
            .usages(of: month, by: shapes, from: before, in: store, at: now)
        kept.withLock { kept in
            kept.removeAll { $0.month == month && $0.shapes == shapes }
            kept.append(found)
            if kept.count > Self.most { kept.removeFirst() }
        }
        return found.usages
    }
}
