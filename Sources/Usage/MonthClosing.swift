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
        /// Another month is closed first: an earlier one that has calls and is open, whose calls would all be late, or
        /// the one after the last that is closed.
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
        let reporter = reporter
        let calendar = try await stored { () async throws(StoreError) in try await reporter.calendar() }
        let first = try await stored { () async throws(StoreError) in
            try await reporter.monthToCloseBefore(order.month, by: calendar)
        }
        if let first { throw .previousOpen(first) }
        let reports = try await stored { () async throws(StoreError) in
            try await reporter.reports(of: order.month, by: [[.verifier], UsageReport.everyGrouping], calendar)
        }
        let unsettled = try await unsettledCalls(of: order.month, by: calendar)
        guard unsettled.isEmpty || order.includingUnsettled else {
            throw .unsettled(count: unsettled.count, first: Array(unsettled.prefix(Self.mostListed)))
        }
        let settlements = try await stored { () async throws(StoreError) in try await store.settlements(after: 0) }
        var adjustments = PendingCorrections(settlements, closings: closings).taken(by: order.month)
            .map { Statement.Adjustment(sequence: $0.sequence, draft: $0.draft) }
        let late = try await lateAdjustments(by: calendar, order)
        adjustments += late.map { Statement.Adjustment(sequence: nil, draft: $0) }
        let headEvent = try await stored { () async throws(StoreError) in try await store.ledgerEvents([head]).first }
        let statement = Statement(
            book: reporter.book, report: reports[0], detail: reports[1], adjustments: adjustments, head: headEvent,
            closedAt: order.now, actor: order.actor, unsettled: unsettled
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

    private func unsettledCalls(
        of month: BillingMonth, by calendar: BillingCalendar
    ) async throws(Refusal) -> [Int64] {
        var found: [Int64] = []
        let (store, reporter) = (store, reporter)
        for verifier in try await stored({ () async throws(StoreError) in try await store.usageVerifiers() }) {
            found += try await stored { () async throws(StoreError) in
                var own: [Int64] = []
                try await reporter.eachCall(of: verifier, in: month, by: calendar) {
                    if !$0.isSettled { own.append($0.sequence) }
                }
                return own
            }
        }
        return found.sorted()
    }

    /// What became of calls of months that are closed: each is settled by an adjustment of its own.
    private func lateAdjustments(
        by calendar: BillingCalendar, _ order: Order
    ) async throws(Refusal) -> [LedgerDraft] {
        let (store, reporter) = (store, reporter)
        let late = try await stored { () async throws(StoreError) in try await reporter.lateCalls(by: calendar) }
        let events = try await stored { () async throws(StoreError) in
            try await store.ledgerEvents(late.map(\.call.lastSequence))
        }
        let drafted = Dictionary(events.map { ($0.sequence, $0.draft) }, uniquingKeysWith: { first, _ in first })
        return late.compactMap { entry in
            guard var draft = drafted[entry.call.lastSequence] else { return nil }
            draft.kind = .adjusted
            draft.at = order.now
            draft.providerTime = entry.call.providerTime
            draft.billableClass = entry.call.billableClass
            draft.quantity = entry.call.quantity
            // It takes the call in, and is told from a correction by it.
            draft.outcome = entry.call.outcome ?? .failed
            draft.settles = entry.call.lastSequence
            draft.month = entry.month.description
            draft.actor = order.actor
            draft.note = "settled after the month was closed"
            draft.amount = entry.amount?.ledgerMillionths
            draft.currency = entry.currency?.code
            return draft
        }
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
