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
        /// The month before it has calls and is open: closed out of order, its calls would all be late.
        case previousOpen(BillingMonth)
        /// Calls are open or uncertain: their number, and the sequence numbers of the first ones' `started`.
        case unsettled(count: Int, first: [Int64])
        /// Events were written meanwhile, each time; another try may do.
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
        let zones = [reporter.book.zone] + reporter.book.verifiers.values.map(\.zone)
        guard zones.allSatisfy({ $0.range(of: order.month).upperBound <= order.now }) else { throw .notEnded }
        for _ in 0..<Self.tries {
            if let closed = try await attempt(order) { return closed }
        }
        throw .overtaken
    }

    /// One try; `nil` where events were written meanwhile.
    private func attempt(_ order: Order) async throws(Refusal) -> Closed? {
        let store = store
        let head = try await stored { () async throws(StoreError) in try await store.ledgerHead() }
        let closings = try await stored { () async throws(StoreError) in try await store.closings() }
        guard !closings.contains(where: { $0.draft.month == order.month.description }) else { throw .alreadyClosed }
        let previous = order.month.previous
        if !closings.contains(where: { $0.draft.month == previous.description }), try await hasCalls(previous) {
            throw .previousOpen(previous)
        }
        let reporter = reporter
        let report = try await stored { () async throws(StoreError) in
            try await reporter.report(of: order.month, by: [.verifier])
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
        adjustments += late.enumerated().map { Statement.Adjustment(sequence: head + 1 + Int64($0), draft: $1) }
        let headEvent = try await stored { () async throws(StoreError) in try await store.ledgerEvents([head]).first }
        let statement = Statement(
            report: report, adjustments: adjustments, head: headEvent, closedAt: order.now, actor: order.actor,
            unsettled: unsettled
        ).encoded()
        do throws(StoreError) {
            let event = try await store.close(
                closing(order, statement), adjustments: late, statement: statement, head: head)
            return Closed(event: event, statement: statement)
        } catch {
            guard error == .conflict else { throw .store(error) }
            return nil
        }
    }

    private func hasCalls(_ month: BillingMonth) async throws(Refusal) -> Bool {
        let (store, book) = (store, reporter.book)
        for verifier in try await stored({ () async throws(StoreError) in try await store.usageVerifiers() }) {
            let (rule, range) = UsageReportBuilder.window(of: verifier, month: month, book: book)
            let calls = try await stored { () async throws(StoreError) in
                try await store.usageCalls(
                    of: verifier, by: rule, in: range, changedAfter: 0, after: nil, limit: 1)
            }
            if !calls.isEmpty { return true }
        }
        return false
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
                draft.outcome = entry.call.outcome
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
