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
    private let readings = Mutex<[BillingMonth: Task<Void, Never>]>([:])

    /// How many are kept.
    var count: Int { kept.withLock(\.count) }

    /// Brings a month up to date that somebody is likely to look at. Whoever looks meanwhile waits for it, instead of
    /// reading the same beside it.
    func keep(
        _ month: BillingMonth, by shapes: [[UsageGrouping]], in store: any Store, book: PriceBook, at now: Timestamp
    ) async {
        let reading = Task {
            // Whoever looks reads it again and is told what is wrong.
            _ = try? await self.read(month, by: shapes, in: store, book: book, at: now)
        }
        readings.withLock { $0[month] = reading }
        await reading.value
        readings.withLock { $0[month] = nil }
    }

    /// A month in several shapes.
    func usages(
        of month: BillingMonth, by shapes: [[UsageGrouping]], in store: any Store, book: PriceBook, at now: Timestamp
    ) async throws(StoreError) -> [MonthlyUsage] {
        await readings.withLock { $0[month] }?.value
        return try await read(month, by: shapes, in: store, book: book, at: now)
    }

    private func read(
        _ month: BillingMonth, by shapes: [[UsageGrouping]], in store: any Store, book: PriceBook, at now: Timestamp
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
