public import Billing
public import VerificationCore

/// Compares a provider's invoice with the ledger, and writes what was accepted of it.
public struct InvoiceReconciler: Sendable {
    private let reporter: UsageReporter

    /// Compares what a store holds, by a price book.
    public init(_ reporter: UsageReporter) {
        self.reporter = reporter
    }

    /// Compares the lines of an invoice with a verifier's calls of the month, and of the months beside it, into which an
    /// invoice may have moved what happened near midnight; all as earlier corrections left them.
    public func reconcile(
        _ lines: [InvoiceLine], of verifier: VerifierID, month: BillingMonth
    ) async throws(StoreError) -> Reconciliation {
        var calls: [BilledCall] = []
        let months = [month, month.previous, month.next]
        let calendar = try await reporter.calendar()
        for each in months { calls += try await billedCalls(of: verifier, in: each, by: calendar) }
        let corrections = Corrections(
            try await reporter.reading.settlements(after: 0), of: verifier,
            currency: reporter.book.verifiers[verifier]?.currency)
        return Reconciliation(month: month, lines: lines, calls: corrections.applied(to: calls, of: months))
    }

    /// The same, with what an answer needs beside it.
    public func check(
        _ lines: [InvoiceLine], of verifier: VerifierID, month: BillingMonth
    ) async throws(StoreError) -> InvoiceCheck {
        InvoiceCheck(
            verifier: verifier, lines: lines.count, currency: reporter.book.verifiers[verifier]?.currency,
            reconciliation: try await reconcile(lines, of: verifier, month: month))
    }

    /// The calls of a month, each with what it should cost: in a closed month by the prices that it was closed by.
    private func billedCalls(
        of verifier: VerifierID, in month: BillingMonth, by calendar: BillingCalendar
    ) async throws(StoreError) -> [BilledCall] {
        let prices = (calendar.closedMonth(month)?.book ?? reporter.book).verifiers[verifier]
        let own = calendar.of(verifier)
        var rater = prices.map { Rater($0, month: month) }
        var calls: [UsageCall] = []
        try await reporter.eachCall(of: verifier, in: month, by: calendar) { call in
            if call.isSettled {
                rater?.add(call.billableClass, at: own.time(of: call), quantity: call.quantity, group: calls.count)
            }
            calls.append(call)
        }
        let invoice = rater?.invoice()
        var events: [Int64: LedgerDraft] = [:]
        for page in stride(from: 0, to: calls.count, by: UsageReporter.pageSize) {
            let sequences = calls[page..<min(page + UsageReporter.pageSize, calls.count)].map(\.lastSequence)
            for event in try await reporter.reading.ledgerEvents(sequences) { events[event.sequence] = event.draft }
        }
        return calls.enumerated().compactMap { place, call in
            guard let draft = events[call.lastSequence] else { return nil }
            let isUnpriced = invoice?.unpriced[call.billableClass]?[place] != nil
            // A class that the price list names as not billed costs nothing, and so does what is free.
            let amount = invoice == nil || isUnpriced ? nil : invoice?.groups[place] ?? .zero
            return BilledCall(
                sequence: call.lastSequence, attempt: draft.attempt.rawValue, session: draft.session.rawValue,
                reference: draft.providerReference, time: own.time(of: call), month: month,
                billableClass: call.billableClass, quantity: call.quantity, amount: amount,
                standing: Self.standing(of: call, at: own.time(of: call), under: prices))
        }
    }

    private static func standing(
        of call: UsageCall, at time: Timestamp, under prices: VerifierPrices?
    ) -> BilledCall.Standing {
        guard call.isSettled else { return .uncertain }
        guard call.billableClass != .nonBillable else { return .notBilled }
        guard let prices else { return .billed }
        let day = prices.zone.day(of: time)
        let tariff = prices.tariff(on: day).map { prices.tariffs[$0] }
        return tariff?.notBilled.contains(call.billableClass) == true ? .notBilled : .billed
    }
}
