public import Billing
public import VerificationCore

/// A call that belongs to a month that was closed before it was settled, or before it belonged there.
public struct LateCall: Sendable, Hashable {
    /// The call.
    public let call: UsageCall
    /// The closed month.
    public let month: BillingMonth
    /// The verifier.
    public let verifier: VerifierID
    /// What it costs by the closed month's own prices, after that month's last position: it uses up no position of the
    /// month in which it is written. `nil` where it has no price.
    public let amount: ExactAmount?
    /// The amount's currency.
    public let currency: Currency?
}

extension UsageReporter {
    /// Calls of a closed month that its closing had no account of and that no later one has taken in.
    public func lateCalls(of month: BillingMonth) async throws(StoreError) -> [LateCall] {
        try await lateCalls(by: try await calendar()).filter { $0.month == month }
    }

    /// The same for all closed months, in the order of the verifiers, of the months and of the calls.
    func lateCalls(by calendar: BillingCalendar) async throws(StoreError) -> [LateCall] {
        guard !calendar.closed.isEmpty else { return [] }
        let closed = Set(calendar.closed.map(\.month))
        var late: [LateCall] = []
        for verifier in try await reading.usageVerifiers() {
            let own = calendar.of(verifier)
            var found: [Int64: UsageCall] = [:]
            for search in own.searchesForLate() {
                try await eachCall(
                    of: verifier, by: search.rule, in: search.range, changedAfter: search.changedAfter
                ) { call in
                    guard call.isSettled, !own.isAccountedFor(call), closed.contains(own.month(of: call)) else {
                        return
                    }
                    found[call.sequence] = call
                }
            }
            let byMonth = Dictionary(grouping: found.values) { own.month(of: $0) }
            for entry in calendar.closed {
                guard let calls = byMonth[entry.month] else { continue }
                let ordered = calls.sorted { (own.time(of: $0), $0.sequence) < (own.time(of: $1), $1.sequence) }
                late += try await priced(ordered, of: verifier, in: entry, by: calendar)
            }
        }
        return late
    }

    /// Calls of a closed month at what they cost after all that it has account of.
    private func priced(
        _ late: [UsageCall], of verifier: VerifierID, in closed: BillingCalendar.ClosedMonth,
        by calendar: BillingCalendar
    ) async throws(StoreError) -> [LateCall] {
        guard let prices = closed.book.verifiers[verifier] else {
            return late.map {
                LateCall(call: $0, month: closed.month, verifier: verifier, amount: nil, currency: nil)
            }
        }
        let own = calendar.of(verifier)
        var rater = Rater(prices, month: closed.month)
        try await eachCall(of: verifier, in: closed.month, by: calendar) { call in
            // What an earlier closing took in late has its position too.
            guard call.isSettled, own.isAccountedFor(call) else { return }
            rater.add(call.billableClass, at: own.time(of: call), quantity: call.quantity, group: -1)
        }
        for (place, call) in late.enumerated() {
            rater.add(call.billableClass, at: own.time(of: call), quantity: call.quantity, group: place)
        }
        let invoice = rater.invoice()
        return late.enumerated().map { place, call in
            let isUnpriced = invoice.unpriced[call.billableClass]?[place] != nil
            return LateCall(
                call: call, month: closed.month, verifier: verifier,
                amount: isUnpriced ? nil : invoice.groups[place] ?? .zero, currency: prices.currency)
        }
    }
}
