import VerificationCore

/// What a provider's invoice and our ledger say of the same month, line by line.
///
/// A line finds its call by our own reference, else by the provider's reference, and among several calls of one
/// reference by the class and then the nearest time. Each line and each of our calls is in exactly one class.
public struct Reconciliation: Sendable {
    /// What is found of a line or of a call.
    public enum Class: String, Sendable, CaseIterable, Hashable {
        /// Both sides say the same.
        case matched
        /// The same call, another amount or quantity.
        case amountDiffers = "amount_differs"
        /// The same call, in another month by our calendar.
        case monthDiffers = "month_differs"
        /// On the invoice, and not with us, or not billed by our account.
        case theirsOnly = "theirs_only"
        /// With us, and not on the invoice.
        case oursOnly = "ours_only"
        /// On the invoice once more, after another line took the call.
        case duplicateAtTheirs = "duplicate_at_theirs"
        /// A call of ours whose answer was lost: now the invoice, by naming it or not, says what became of it.
        case uncertainResolved = "uncertain_resolved"
        /// The same call, and our price book has no price for it.
        case unpricedAtOurs = "unpriced_at_ours"
    }

    /// A finding.
    public struct Finding: Sendable, Hashable {
        /// Its class.
        public let kind: Class
        /// The invoice's line; `nil` where it has none.
        public let line: InvoiceLine?
        /// Our call; `nil` where we have none.
        public let call: BilledCall?

        /// What the invoice asks for above what we expect; negative where it asks for less. A side that is missing
        /// counts as nothing, and an amount that is not known leaves the difference unknown.
        public var difference: ExactAmount? {
            if line != nil, line?.amount == nil { return nil }
            let theirs = line?.amount ?? .zero
            switch (call, kind) {
            case (nil, _), (_, .duplicateAtTheirs), (_, .theirsOnly): return theirs
            case (let call?, .uncertainResolved): return line == nil ? .zero : call.amount.map { theirs - $0 }
            case (let call?, _): return call.amount.map { theirs - $0 }
            }
        }
    }

    /// The month of the invoice.
    public let month: BillingMonth
    /// Every finding: the invoice's lines in their order, then our calls that it does not name, by time.
    public let findings: [Finding]

    /// Compares. `calls` are those of the month, and those of the months beside it that an invoice may have moved.
    public init(month: BillingMonth, lines: [InvoiceLine], calls: [BilledCall]) {
        self.month = month
        let statesAmounts = lines.contains { $0.amount != nil }
        var index = CallIndex(calls)
        var findings: [Finding] = []
        findings.reserveCapacity(lines.count)
        for line in lines {
            switch index.take(for: line) {
            case .call(let place):
                let kind = Self.kind(of: line, calls[place], month, statesAmounts: statesAmounts)
                findings.append(Finding(kind: kind, line: line, call: calls[place]))
            case .taken(let place):
                findings.append(Finding(kind: .duplicateAtTheirs, line: line, call: calls[place]))
            case .unknown:
                findings.append(Finding(kind: .theirsOnly, line: line, call: nil))
            }
        }
        let rest = calls.indices.filter { !index.isTaken($0) && calls[$0].month == month }
            .sorted { (calls[$0].time, calls[$0].sequence) < (calls[$1].time, calls[$1].sequence) }
        for place in rest {
            switch calls[place].standing {
            case .billed: findings.append(Finding(kind: .oursOnly, line: nil, call: calls[place]))
            case .uncertain: findings.append(Finding(kind: .uncertainResolved, line: nil, call: calls[place]))
            case .notBilled: break
            }
        }
        self.findings = findings
    }

    /// The findings of a class.
    public func findings(of kind: Class) -> [Finding] { findings.filter { $0.kind == kind } }

    /// How many findings each class has, and what they add up to; the sum is `nil` where an amount is not known.
    public var totals: [(kind: Class, count: Int, difference: ExactAmount?)] {
        Class.allCases.map { kind in
            let found = findings(of: kind)
            let sum = found.reduce(ExactAmount?.some(.zero)) { sum, finding in
                guard let sum, let difference = finding.difference else { return nil }
                return sum + difference
            }
            return (kind, found.count, sum)
        }
    }

    /// Whether every line and every call agrees.
    public var isClean: Bool { findings.allSatisfy { $0.kind == .matched } }

    private static func kind(
        of line: InvoiceLine, _ call: BilledCall, _ month: BillingMonth, statesAmounts: Bool
    ) -> Class {
        switch call.standing {
        case .uncertain: return .uncertainResolved
        case .notBilled: return .theirsOnly
        case .billed: break
        }
        if call.month != month { return .monthDiffers }
        guard let expected = call.amount else { return .unpricedAtOurs }
        if line.quantity != call.quantity { return .amountDiffers }
        // Where other lines state their amounts, one that states none asks for nothing that we know of.
        let stated = line.amount ?? (statesAmounts ? .zero : expected)
        return stated == expected ? .matched : .amountDiffers
    }
}
