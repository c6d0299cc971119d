public import Billing
import Cryptography
public import VerificationCore

/// Closes a month: freezes its amounts in a statement whose hash goes into the ledger's chain.
public struct MonthClosing: Sendable {
    /// Why a month is not closed.
    public enum Refusal: Error, Sendable, Hashable {
        /// It has not ended in every zone that it is billed in.
        case notEnded
        /// It is closed.
        case alreadyClosed
        /// An earlier month, the first such, has calls and is open: closed out of order, its calls would all be late.
        case previousOpen(BillingMonth)
        /// Calls are open or uncertain: their number, and the sequence numbers of the first ones' `started`.
        case unsettled(count: Int, first: [Int64])
        /// Events of the month, or corrections, were written meanwhile, each time; another try may do.
        case overtaken
        /// The store failed.
        case store(StoreError)
    }

    /// A month that was closed.
    public struct Closed: Sendable {
        /// The closing's event.
        public let event: LedgerEvent
        /// The statement's bytes.
        public let statement: [UInt8]
    }

    /// Who closes a month, when, and why.
    public struct Order: Sendable {
        /// The month.
        public let month: BillingMonth
        /// The time.
        public let now: Timestamp
        /// Who.
        public let actor: String
        /// Why, where there is something to say.
        public let note: String?
        /// Whether calls that are open or uncertain do not hinder it: what comes of them later is an adjustment.
        public let includingUnsettled: Bool
        /// The configuration version.
        public let configurationVersion: String

        /// An order.
        public init(
            month: BillingMonth, now: Timestamp, actor: String, note: String?, includingUnsettled: Bool,
            configurationVersion: String
        ) {
            self.month = month
            self.now = now
            self.actor = actor
            self.note = note
            self.includingUnsettled = includingUnsettled
            self.configurationVersion = configurationVersion
        }
    }

    /// How often it is tried again when calls go on while it is closed: each try reads one month.
    static let tries = 5
    /// As many unsettled calls as a refusal lists.
    public static let mostListed = 1000

    private let store: any UsageStore
    private let reporter: UsageReporter

    /// Closes months of a store by a price book.
    public init(_ store: any UsageStore, book: PriceBook) {
        self.store = store
        reporter = UsageReporter(store, book: book)
    }

    /// Closes a month.
    public func close(_ order: Order) async throws(Refusal) -> Closed {
        guard reporter.end(of: order.month) <= order.now else { throw .notEnded }
        for _ in 0..<Self.tries {
            if let closed = try await attempt(order) { return closed }
        }
        throw .overtaken
    }

    /// One try; `nil` where events of the month were written meanwhile.
    private func attempt(_ order: Order) async throws(Refusal) -> Closed? {
        let store = store
        let monthEnd = reporter.end(of: order.month)
        let head = try await stored { () async throws(StoreError) in try await store.ledgerHead() }
        let closings = try await stored { () async throws(StoreError) in try await store.closings() }
        guard !closings.contains(where: { $0.draft.month == order.month.description }) else { throw .alreadyClosed }
        let closed = Set(closings.compactMap { $0.draft.month.flatMap { BillingMonth($0) } })
        if let earlier = try await earliestOpen(before: order.month, closed) { throw .previousOpen(earlier) }
        let reporter = reporter
        let reports = try await stored { () async throws(StoreError) in
            try await reporter.reports(of: order.month, by: [[.verifier], UsageReport.everyGrouping])
        }
        let unsettled = try await unsettledCalls(of: order.month)
        guard unsettled.isEmpty || order.includingUnsettled else {
            throw .unsettled(count: unsettled.count, first: Array(unsettled.prefix(Self.mostListed)))
        }
        let last = closings.last?.sequence ?? 0
        var adjustments = try await stored { () async throws(StoreError) in
            try await store.settlements(after: last).filter { $0.draft.kind == .adjusted }
                .map { Statement.Adjustment(sequence: $0.sequence, draft: $0.draft) }
        }
        let late = try await lateAdjustments(closings, order)
        adjustments += late.map { Statement.Adjustment(sequence: nil, draft: $0) }
        let headEvent = try await stored { () async throws(StoreError) in try await store.ledgerEvents([head]).first }
        let statement = Statement(
            report: reports[0], detail: reports[1], adjustments: adjustments, head: headEvent, closedAt: order.now,
            actor: order.actor,
            unsettled: unsettled
        ).encoded()
        do throws(StoreError) {
            let event = try await store.close(
                closing(order, statement), adjustments: late, statement: statement, head: head, monthEnd: monthEnd)
            return Closed(event: event, statement: statement)
        } catch {
            guard error == .conflict else { throw .store(error) }
            return nil
        }
    }

    /// The first month before this one that has calls and is open, were it years ago.
    private func earliestOpen(
        before month: BillingMonth, _ closed: Set<BillingMonth>
    ) async throws(Refusal) -> BillingMonth? {
        let (store, book) = (store, reporter.book)
        var earliest: BillingMonth?
        for verifier in try await stored({ () async throws(StoreError) in try await store.usageVerifiers() }) {
            let zone = book.verifiers[verifier]?.zone ?? book.zone
            let (rule, range) = UsageReportBuilder.window(of: verifier, month: month, book: book)
            // From the end of one closed month to the next, so that a closed month is not read.
            var from = Timestamp(milliseconds: .min)
            while from < range.lowerBound {
                let start = from
                let calls = try await stored { () async throws(StoreError) in
                    try await store.usageCalls(
                        of: verifier, by: rule, in: start..<range.lowerBound, changedAfter: 0, after: nil, limit: 1)
                }
                guard let call = calls.first else { break }
                let found = zone.month(of: call.time(by: rule))
                guard closed.contains(found) else {
                    earliest = min(earliest ?? found, found)
                    break
                }
                from = zone.range(of: found).upperBound
            }
        }
        return earliest
    }

    private func unsettledCalls(of month: BillingMonth) async throws(Refusal) -> [Int64] {
        var found: [Int64] = []
        let (store, reporter) = (store, reporter)
        for verifier in try await stored({ () async throws(StoreError) in try await store.usageVerifiers() }) {
            found += try await stored { () async throws(StoreError) in
                var own: [Int64] = []
                try await reporter.eachCall(of: verifier, in: month) { if !$0.isSettled { own.append($0.sequence) } }
                return own
            }
        }
        return found.sorted()
    }

    /// What became of calls of months that are closed: each is settled by an adjustment of its own.
    private func lateAdjustments(_ closings: [LedgerEvent], _ order: Order) async throws(Refusal) -> [LedgerDraft] {
        var drafts: [LedgerDraft] = []
        let (store, reporter) = (store, reporter)
        for month in closings.compactMap({ $0.draft.month.flatMap { BillingMonth($0) } }) {
            let late = try await stored { () async throws(StoreError) in try await reporter.lateCalls(of: month) }
            guard !late.isEmpty else { continue }
            let events = try await stored { () async throws(StoreError) in
                try await store.ledgerEvents(late.map(\.call.lastSequence))
            }
            let drafted = Dictionary(events.map { ($0.sequence, $0.draft) }, uniquingKeysWith: { first, _ in first })
            for entry in late {
                guard var draft = drafted[entry.call.lastSequence] else { continue }
                draft.kind = .adjusted
                draft.at = order.now
                draft.providerTime = entry.call.providerTime
                draft.billableClass = entry.call.billableClass
                draft.quantity = entry.call.quantity
                // It takes the call in, and is told from a correction by it.
                draft.outcome = entry.call.outcome ?? .failed
                draft.settles = entry.call.lastSequence
                draft.month = month.description
                draft.actor = order.actor
                draft.note = "settled after the month was closed"
                draft.amount = entry.amount?.ledgerMillionths
                draft.currency = entry.currency?.code
                drafts.append(draft)
            }
        }
        return drafts
    }

    private func closing(_ order: Order, _ statement: [UInt8]) -> LedgerDraft {
        // A closing is about no attempt, session, verifier, client or purpose.
        var draft = LedgerDraft(
            kind: .closed, attempt: AttemptID(""), role: .primary, session: SessionID(""), verifier: VerifierID(""),
            client: ClientID(""), purpose: PurposeID(""), at: order.now, billableClass: .nonBillable, quantity: 0,
            configurationVersion: order.configurationVersion)
        draft.month = order.month.description
        draft.actor = order.actor
        draft.note = order.note
        draft.statement = Hash.sha256(statement)
        return draft
    }

    private func stored<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async throws(Refusal) -> Value {
        do {
            return try await body()
        } catch {
            throw .store(error)
        }
    }
}
