public import VerificationCore

/// Makes a report of a month's calls. The calls of each verifier come in the order of their billing times.
public struct UsageReportBuilder: Sendable {
    private struct Key: Hashable {
        var verifier: Int32 = -1
        var client: Int32 = -1
        var purpose: Int32 = -1
        var day: Int32 = -1
        var role: AttemptRole
        /// The place of the currency: amounts of two are never added, even where rows are not by verifier.
        var currency: Int32 = -1

        var withoutCurrency: Key {
            var key = self
            key.currency = -1
            return key
        }
    }

    private struct Group {
        let key: Key
        var counts = UsageCounts()
        var latencies = Latencies()
    }

    private let month: BillingMonth
    private let book: PriceBook
    private let groupings: [UsageGrouping]
    private let names: UsageNames
    private var places: [Key: Int] = [:]
    private var groups: [Group] = []
    private var raters: [Int32: Rater] = [:]
    private var verifiers: [Int32: VerifierID] = [:]
    private var currencies: [Currency] = []
    private var currencyOfVerifier: [Int32: Int32] = [:]
    private var unpricedVerifiers: Set<Int32> = []
    private var day: (range: Range<Timestamp>, zone: BillingZone, number: Int32)?

    /// A builder for a month.
    public init(month: BillingMonth, book: PriceBook, groupings: [UsageGrouping], names: UsageNames) {
        self.month = month
        self.book = book
        self.groupings = groupings
        self.names = names
        let numbers = Dictionary(
            names.names.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
        // A month without a call still has its flat fee and its minimum: numbers below zero are of verifiers without any.
        var free: Int32 = -2
        for (id, prices) in book.verifiers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var number = free
            if let known = numbers[id.rawValue] { number = known } else { free -= 1 }
            raters[number] = Rater(prices, month: month)
            verifiers[number] = id
            if !currencies.contains(prices.currency) { currencies.append(prices.currency) }
            currencyOfVerifier[number] = currencies.firstIndex(of: prices.currency).map { Int32($0) }
        }
    }

    /// The time that decides the month of a verifier's calls, and the instants of the month.
    public static func window(
        of verifier: VerifierID, month: BillingMonth, book: PriceBook
    ) -> (rule: BillingTime, range: Range<Timestamp>) {
        let prices = book.verifiers[verifier]
        return (prices?.billingTime ?? .ended, (prices?.zone ?? book.zone).range(of: month))
    }

    /// Adds a call of the month.
    public mutating func add(_ call: UsageCall) {
        let prices = raters[call.verifier]?.prices
        let time = call.time(by: prices?.billingTime ?? .ended)
        let place = place(of: call, at: time, prices)
        if call.isSubmission { count(call, in: place) }
        guard call.isSettled else {
            groups[place].counts.uncertain += 1
            return
        }
        guard call.billableClass != .nonBillable else { return }
        groups[place].counts.billable += call.quantity
        if prices == nil {
            groups[place].counts.unpriced += call.quantity
            unpricedVerifiers.insert(call.verifier)
        } else {
            raters[call.verifier]?.add(call.billableClass, at: time, quantity: call.quantity, group: place)
        }
    }

    private mutating func count(_ call: UsageCall, in place: Int) {
        groups[place].counts.attempts += 1
        guard call.isSettled else { return }
        switch call.outcome {
        case .verified: groups[place].counts.verified += 1
        case .rejected: groups[place].counts.rejected += 1
        case .failed, nil: groups[place].counts.failed += 1
        }
        // What was resolved took as long as somebody needed to find out: no latency of the provider's.
        if call.state == .ended, let end = call.endedAt {
            groups[place].latencies.add(end.milliseconds - call.startedAt.milliseconds)
        }
    }

    private mutating func place(of call: UsageCall, at time: Timestamp, _ prices: VerifierPrices?) -> Int {
        var key = Key(role: call.role)
        for grouping in groupings {
            switch grouping {
            case .verifier: key.verifier = call.verifier
            case .client: key.client = call.client
            case .purpose: key.purpose = call.purpose
            case .day: key.day = day(of: time, in: prices?.zone ?? book.zone)
            }
        }
        key.currency = currencyOfVerifier[call.verifier] ?? -1
        if let place = places[key] { return place }
        groups.append(Group(key: key))
        places[key] = groups.count - 1
        return groups.count - 1
    }

    private mutating func day(of time: Timestamp, in zone: BillingZone) -> Int32 {
        if let day, day.zone == zone, day.range.contains(time) { return day.number }
        let date = zone.day(of: time)
        let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
        let number = Int32(clamping: date.daysSinceEpoch)
        day = (zone.start(of: date)..<zone.start(of: next), zone, number)
        return number
    }

    /// The report.
    public func report() -> UsageReport {
        var amounts = [ExactAmount](repeating: .zero, count: groups.count)
        var unpriced = [Int64](repeating: 0, count: groups.count)
        var invoices: [UsageReport.VerifierInvoice] = []
        for (number, rater) in raters {
            let invoice = rater.invoice()
            invoices.append(
                UsageReport.VerifierInvoice(verifier: verifiers[number] ?? VerifierID(names[number]), invoice: invoice))
            for (group, amount) in invoice.groups { amounts[group] += amount }
            for (_, byGroup) in invoice.unpriced {
                for (group, quantity) in byGroup { unpriced[group] += quantity }
            }
        }
        let parts = groups.indices.map { Part(groups[$0], amount: amounts[$0], unpriced: unpriced[$0]) }
        let rows = Dictionary(grouping: parts, by: \.key.withoutCurrency).map { key, parts in
            row(parts, key: values(of: key), role: key.role)
        }
        let totals = Dictionary(grouping: parts, by: \.key.role).map { role, parts in row(parts, key: [], role: role) }
        return UsageReport(
            month: month, book: book.name, groupings: groupings, rows: rows.sorted(by: UsageReport.Row.precedes),
            totals: totals.sorted(by: UsageReport.Row.precedes),
            invoices: invoices.sorted { $0.verifier.rawValue < $1.verifier.rawValue },
            unpricedVerifiers: unpricedVerifiers.map { VerifierID(names[$0]) }.sorted { $0.rawValue < $1.rawValue })
    }

    private struct Part {
        let key: Key
        let counts: UsageCounts
        let amount: ExactAmount
        let latencies: Latencies

        init(_ group: Group, amount: ExactAmount, unpriced: Int64) {
            key = group.key
            var counts = group.counts
            counts.unpriced += unpriced
            self.counts = counts
            self.amount = amount
            latencies = group.latencies
        }
    }

    private func row(_ parts: [Part], key: [String], role: AttemptRole) -> UsageReport.Row {
        var counts = UsageCounts()
        var amounts: [Currency: ExactAmount] = [:]
        var latencies = Latencies()
        for part in parts {
            counts = counts + part.counts
            if part.key.currency >= 0 { amounts[currencies[Int(part.key.currency)], default: .zero] += part.amount }
            latencies.add(part.latencies)
        }
        let percentiles = latencies.percentiles([50, 95])
        return UsageReport.Row(
            key: key, role: role, counts: counts, amounts: amounts, latency50: percentiles?[0],
            latency95: percentiles?[1])
    }

    private func values(of key: Key) -> [String] {
        groupings.map { grouping in
            switch grouping {
            case .verifier: names[key.verifier]
            case .client: names[key.client]
            case .purpose: names[key.purpose]
            case .day: CivilDate(daysSinceEpoch: Int64(key.day)).description
            }
        }
    }
}
