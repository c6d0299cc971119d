public import Billing
public import VerificationCore

/// A call that belongs to a month that was closed before it was settled.
public struct LateCall: Sendable, Hashable {
    /// The call.
    public let call: UsageCall
    /// The closed month.
    public let month: BillingMonth
    /// The verifier.
    public let verifier: VerifierID
    /// What it costs by the closed month's prices, after that month's last position: it uses up no position of the
    /// month in which it is written. `nil` where it has no price.
    public let amount: ExactAmount?
    /// The amount's currency.
    public let currency: Currency?
}

extension UsageReporter {
    /// Calls of a closed month that were settled after its closing and that no adjustment has settled yet.
    public func lateCalls(of month: BillingMonth) async throws(StoreError) -> [LateCall] {
        guard let closing = try await closing(of: month) else { return [] }
        let settled = Set(
            try await reading.settlements(after: closing.sequence).filter { $0.draft.isLateCall }
                .compactMap(\.draft.settles))
        var late: [LateCall] = []
        for verifier in try await reading.usageVerifiers() {
            var changed: [UsageCall] = []
            try await eachCall(of: verifier, in: month, changedAfter: closing.sequence) { call in
                if call.isSettled, !settled.contains(call.lastSequence) { changed.append(call) }
            }
            guard !changed.isEmpty else { continue }
            late += try await priced(changed, of: verifier, month: month) {
                $0.lastSequence <= closing.sequence || settled.contains($0.lastSequence)
            }
        }
        return late
    }

    private func priced(
        _ changed: [UsageCall], of verifier: VerifierID, month: BillingMonth,
        after isBefore: (UsageCall) -> Bool
    ) async throws(StoreError) -> [LateCall] {
        guard let prices = book.verifiers[verifier] else {
            return changed.map { LateCall(call: $0, month: month, verifier: verifier, amount: nil, currency: nil) }
        }
        var rater = Rater(prices, month: month)
        try await eachCall(of: verifier, in: month) { call in
            // What an earlier closing took in late has its position too.
            guard call.isSettled, isBefore(call) else { return }
            rater.add(
                call.billableClass, at: call.time(by: prices.billingTime), quantity: call.quantity, group: -1)
        }
        for (place, call) in changed.enumerated() {
            rater.add(
                call.billableClass, at: call.time(by: prices.billingTime), quantity: call.quantity, group: place)
        }
        let invoice = rater.invoice()
        return changed.enumerated().map { place, call in
            let isUnpriced = invoice.unpriced[call.billableClass]?[place] != nil
            return LateCall(
                call: call, month: month, verifier: verifier,
                amount: isUnpriced ? nil : invoice.groups[place] ?? .zero, currency: prices.currency)
        }
    }
}
