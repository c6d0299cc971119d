import Billing
import VerificationCore

/// Which corrections no statement has taken yet, and which month's statement takes each.
///
/// A correction goes into the statement of the month that it corrects or, where that is closed, of the next one that is
/// closed. A month that is closed late does not take what corrects a month after it: whoever looks for that looks there.
struct PendingCorrections {
    private let pending: [(event: LedgerEvent, month: BillingMonth?)]

    /// From every settlement of the ledger and its closings, both in their order.
    init(_ settlements: [LedgerEvent], closings: [LedgerEvent]) {
        let closed = closings.map { (sequence: $0.sequence, month: $0.draft.month.flatMap { BillingMonth($0) }) }
        pending = settlements.filter { $0.draft.kind == .adjusted }
            .map { (event: $0, month: $0.draft.month.flatMap { BillingMonth($0) }) }
            .filter { correction in
                !closed.contains {
                    $0.sequence > correction.event.sequence && Self.takes($0.month, correction.month)
                }
            }
    }

    /// What the statement of a month takes, if that month is the next to be closed.
    func taken(by month: BillingMonth) -> [LedgerEvent] {
        pending.filter { Self.takes(month, $0.month) }.map(\.event)
    }

    /// What corrects this very month.
    func correcting(_ month: BillingMonth) -> [LedgerEvent] {
        pending.filter { $0.month == month }.map(\.event)
    }

    private static func takes(_ closed: BillingMonth?, _ corrected: BillingMonth?) -> Bool {
        guard let closed, let corrected else { return true }
        return corrected <= closed
    }
}
