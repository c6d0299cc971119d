import Billing
import VerificationCore

/// Corrections that the ledger holds of a verifier's account: what was accepted of an invoice is agreed with from then
/// on, and the same invoice finds nothing to accept a second time.
///
/// A correction that names an event changes the account of the call that this event left; one that names none is an entry
/// of its own, such as a line of theirs that nothing of ours stood behind.
struct Corrections {
    private var ofCalls: [Int64: [LedgerEvent]] = [:]
    private var entries: [LedgerEvent] = []
    private let currency: String?

    /// The corrections among `events` that are about a verifier. Money in another currency than the prices' is left out:
    /// it cannot be added to theirs.
    init(_ events: [LedgerEvent], of verifier: VerifierID, currency: Currency?) {
        self.currency = currency?.code
        for event in events where event.draft.isCorrection && event.draft.verifier == verifier {
            if let settled = event.draft.settles {
                ofCalls[settled, default: []].append(event)
            } else {
                entries.append(event)
            }
        }
    }

    /// The calls as the corrections leave them, and the entries, of these months.
    func applied(to calls: [BilledCall], of months: [BillingMonth]) -> [BilledCall] {
        let known = Set(calls.map(\.sequence))
        let own = entries.filter { !known.contains($0.sequence) }.compactMap(entry)
        return (calls + own).flatMap(corrected).filter { months.contains($0.month) }
    }

    private func entry(_ event: LedgerEvent) -> BilledCall? {
        let draft = event.draft
        guard let month = draft.month.flatMap({ BillingMonth($0) }) else { return nil }
        return BilledCall(
            sequence: event.sequence, attempt: draft.attempt.rawValue, session: draft.session.rawValue,
            reference: draft.providerReference, time: draft.providerTime ?? draft.at, month: month,
            billableClass: draft.billableClass, quantity: draft.quantity, amount: amount(of: draft), standing: .billed)
    }

    /// A call as one account for each month that it or a correction of it is in.
    private func corrected(_ call: BilledCall) -> [BilledCall] {
        guard let corrections = ofCalls[call.sequence] else { return [call] }
        let wasBilled = call.standing == .billed
        var accounts = [Account(call.month, wasBilled ? call.quantity : 0, wasBilled ? call.amount : .zero)]
        var billableClass = call.billableClass
        for draft in corrections.map(\.draft) {
            guard let month = draft.month.flatMap({ BillingMonth($0) }) else { continue }
            if !wasBilled { billableClass = draft.billableClass }
            let place = accounts.firstIndex { $0.month == month } ?? accounts.endIndex
            if place == accounts.endIndex { accounts.append(Account(month, 0, nil)) }
            accounts[place].quantity += draft.quantity
            // What had no price has the amount that was accepted for it.
            if let amount = amount(of: draft) {
                accounts[place].amount = (accounts[place].amount ?? .zero) + amount
            }
        }
        let isElsewhere = accounts.dropFirst().contains { !$0.isEmpty }
        return accounts.enumerated().compactMap { place, account in
            if account.isEmpty, place > 0 || isElsewhere { return nil }
            return BilledCall(
                sequence: call.sequence, attempt: call.attempt, session: call.session, reference: call.reference,
                time: call.time, month: account.month, billableClass: billableClass, quantity: account.quantity,
                amount: account.amount, standing: account.isEmpty ? .notBilled : .billed)
        }
    }

    private func amount(of draft: LedgerDraft) -> ExactAmount? {
        guard currency == nil || draft.currency == nil || draft.currency == currency else { return nil }
        return draft.amount.map { ExactAmount(millionths: $0) }
    }

    private struct Account {
        let month: BillingMonth
        var quantity: Int64
        var amount: ExactAmount?

        init(_ month: BillingMonth, _ quantity: Int64, _ amount: ExactAmount?) {
            self.month = month
            self.quantity = quantity
            self.amount = amount
        }

        var isEmpty: Bool { quantity == 0 && (amount ?? .zero) == .zero }
    }
}

extension LedgerDraft {
    /// Whether it takes in a call that was settled after its month was closed: it has the call's outcome.
    var isLateCall: Bool { kind == .adjusted && outcome != nil }

    /// Whether it corrects the account: it says nothing of how a call ended.
    var isCorrection: Bool { kind == .adjusted && outcome == nil }
}
