import Billing
import VerificationCore

/// What is used of budgets, counted anew from the store: the month's calls, what was corrected in it, and the sessions
/// that are open and were promised a verifier.
struct BudgetCount: Sendable {
    /// Sessions read at once.
    private static let sessionPage = 500

    private let terms: Budgets.Terms
    /// From when on it counts.
    let from: Timestamp
    /// The last event that it counts; later ones are left to the reading of the ledger.
    var head: Int64 = 0
    private(set) var book: BudgetBook

    init(_ terms: Budgets.Terms, from: Timestamp) {
        self.terms = terms
        self.from = from
        book = BudgetBook(terms.budgets, prices: terms.prices)
    }

    mutating func readCalls(_ store: any Store, margin: Duration, pageSize: Int) async throws(StoreError) {
        let names = try await store.usageNames()
        let range = from.advanced(by: .zero - margin)..<Timestamp(milliseconds: .max)
        for verifier in try await store.usageVerifiers() {
            var cursor: UsageCursor?
            while true {
                let calls = try await store.usageCalls(
                    of: verifier, by: .started, in: range, changedAfter: 0, after: cursor, limit: pageSize)
                let counted = calls.filter { $0.sequence <= head }
                for call in counted where call.isSettled {
                    book.add(BudgetUse(call, verifier, names), at: call.startedAt)
                }
                // Only its first event says which call it is that may still end.
                let open = counted.filter { !$0.isSettled }.map(\.sequence)
                for event in open.isEmpty ? [] : try await store.ledgerEvents(open) { book.count(event) }
                guard calls.count == pageSize, let last = calls.last else { break }
                cursor = UsageCursor(time: last.startedAt, sequence: last.sequence)
            }
        }
    }

    mutating func readCorrections(_ store: any Store) async throws(StoreError) {
        for event in try await store.settlements(after: 0) where event.sequence <= head { book.count(event) }
    }

    /// Sessions that wait for their submission keep the places that they were opened with.
    mutating func readSessions(_ store: any Store, grace: Duration) async throws(StoreError) {
        var filter = SessionFilter()
        filter.statuses = [.created]
        var cursor: SessionCursor?
        while true {
            let page = try await store.sessions(filter, olderThan: cursor, limit: Self.sessionPage)
            for record in page {
                guard let verifier = terms.verifiers[record.verifier], let id = record.attempt else { continue }
                let attempt = Attempt(id: id, role: .primary, verifier: verifier, of: record)
                // It was begun: what is left is the submission.
                let uses = attempt.budgetUses.filter { $0.key.name == CallName(.submit) }
                book.keep(uses, until: record.expiresAt.advanced(by: grace))
            }
            guard page.count == Self.sessionPage, let last = page.last else { return }
            cursor = SessionCursor(createdAt: last.createdAt, id: last.id)
        }
    }
}

extension BudgetUse {
    init(_ call: UsageCall, _ verifier: VerifierID, _ names: UsageNames) {
        self.init(
            verifier: verifier, client: ClientID(names[call.client]), isSubmission: call.isSubmission,
            billableClass: call.billableClass, quantity: call.quantity)
    }
}

extension VerifierDescription {
    /// What an attempt may use: its submission, and its begin where that bills. Questions that bill are asked whatever a
    /// budget says, because a verdict hangs on them.
    func uses(for client: ClientID) -> [(step: VerificationStep, use: BudgetUse)] {
        func use(_ step: VerificationStep, _ billableClass: BillableClass, _ quantity: Int64) -> BudgetUse {
            BudgetUse(
                verifier: id, client: client, isSubmission: step == .submit, billableClass: billableClass,
                quantity: quantity)
        }
        // A verdict of one that reaches nobody is billed as itself.
        guard reachesOut else { return [(.submit, use(.submit, .completedPass, 1))] }
        let begin = billing.rules[.begin].map { (VerificationStep.begin, use(.begin, $0.billableClass, $0.quantity)) }
        let submit = billing.rules[.submit].map { use(.submit, $0.billableClass, $0.quantity) }
        return (begin.map { [$0] } ?? []) + [(.submit, submit ?? use(.submit, .nonBillable, 1))]
    }
}

extension Attempt {
    /// What it may use, by call.
    var budgetUses: [BudgetCall: BudgetUse] {
        Dictionary(
            verifier.uses(for: client).map { (BudgetCall(id, CallName($0.step)), $0.use) },
            uniquingKeysWith: { first, _ in first })
    }
}
