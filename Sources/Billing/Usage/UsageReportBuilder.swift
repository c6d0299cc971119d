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

        /// The key of the row by some of the groupings.
        func row(by groupings: [UsageGrouping]) -> Key {
            var key = Key(role: role)
            for grouping in groupings {
                switch grouping {
                case .verifier: key.verifier = verifier
                case .client: key.client = client
                case .purpose: key.purpose = purpose
                case .day: key.day = day
                }
            }
            return key
        }
    }

    /// What is the same for all calls of a verifier.
    private struct Lane {
        let rule: BillingTime
        let zone: BillingZone
        /// The place of its currency.
        let currency: Int32
        /// `nil` for a verifier without prices.
        var rater: Rater?
        /// Whether it has a rater: asked for each call, and the rater would be copied for the question.
        let isPriced: Bool

        init(rule: BillingTime, zone: BillingZone, currency: Int32, rater: Rater?) {
            self.rule = rule
            self.zone = zone
            self.currency = currency
            self.rater = rater
            isPriced = rater != nil
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
    private var lanes: [Lane] = []
    private var laneOfVerifier: [Int32: Int] = [:]
    /// Calls come verifier by verifier, so the last one's lane is remembered, and so is the last one's group.
    private var lastLane: (verifier: Int32, lane: Int)?
    private var lastPlace: (key: Key, place: Int)?
    private var verifiers: [Int32: VerifierID] = [:]
    private var currencies: [Currency] = []
    private var unpricedVerifiers: Set<Int32> = []
    private var day: (range: Range<Timestamp>, lane: Int, number: Int32)?

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
            verifiers[number] = id
            if !currencies.contains(prices.currency) { currencies.append(prices.currency) }
            let currency = currencies.firstIndex(of: prices.currency) ?? 0
            laneOfVerifier[number] = lanes.count
            lanes.append(
                Lane(
                    rule: prices.billingTime, zone: prices.zone, currency: Int32(currency),
                    rater: Rater(prices, month: month)))
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
        let lane = lane(of: call.verifier)
        let time = call.time(by: lanes[lane].rule)
        let place = place(of: call, at: time, lane)
        if call.isSubmission { count(call, in: place) }
        guard call.isSettled else {
            groups[place].counts.uncertain += 1
            return
        }
        guard call.billableClass != .nonBillable else { return }
        groups[place].counts.billable += call.quantity
        if lanes[lane].isPriced {
            lanes[lane].rater?.add(call.billableClass, at: time, quantity: call.quantity, group: place)
        } else {
            groups[place].counts.unpriced += call.quantity
            unpricedVerifiers.insert(call.verifier)
        }
    }

    private mutating func lane(of verifier: Int32) -> Int {
        if let lastLane, lastLane.verifier == verifier { return lastLane.lane }
        let lane = laneOfVerifier[verifier] ?? lanes.count
        if lane == lanes.count {
            lanes.append(Lane(rule: .ended, zone: book.zone, currency: -1, rater: nil))
            laneOfVerifier[verifier] = lane
        }
        lastLane = (verifier, lane)
        return lane
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

    private mutating func place(of call: UsageCall, at time: Timestamp, _ lane: Int) -> Int {
        var key = Key(role: call.role)
        for grouping in groupings {
            switch grouping {
            case .verifier: key.verifier = call.verifier
            case .client: key.client = call.client
            case .purpose: key.purpose = call.purpose
            case .day: key.day = day(of: time, in: lane)
            }
        }
        key.currency = lanes[lane].currency
        if let lastPlace, lastPlace.key == key { return lastPlace.place }
        let place = places[key] ?? groups.count
        if place == groups.count {
            groups.append(Group(key: key))
            places[key] = place
        }
        lastPlace = (key, place)
        return place
    }

    private mutating func day(of time: Timestamp, in lane: Int) -> Int32 {
        if let day, day.lane == lane, day.range.contains(time) { return day.number }
        let zone = lanes[lane].zone
        let date = zone.day(of: time)
        let next = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
        let number = Int32(clamping: date.daysSinceEpoch)
        day = (zone.start(of: date)..<zone.start(of: next), lane, number)
        return number
    }

    /// The report.
    public func report() -> UsageReport { reports(by: [groupings])[0] }

    /// Reports by some of the groupings each: the rows of a coarser one are sums of those of a finer one, to the last
    /// digit, so that a month needs to be reckoned once only.
    public func reports(by shapes: [[UsageGrouping]]) -> [UsageReport] {
        var amounts = [ExactAmount](repeating: .zero, count: groups.count)
        var unpriced = [Int64](repeating: 0, count: groups.count)
        var invoices: [UsageReport.VerifierInvoice] = []
        for (number, lane) in laneOfVerifier {
            guard let invoice = lanes[lane].rater?.invoice() else { continue }
            invoices.append(
                UsageReport.VerifierInvoice(verifier: verifiers[number] ?? VerifierID(names[number]), invoice: invoice))
            for (group, amount) in invoice.groups { amounts[group] += amount }
            for (_, byGroup) in invoice.unpriced {
                for (group, quantity) in byGroup { unpriced[group] += quantity }
            }
        }
        let parts = groups.indices.map { Part(groups[$0], amount: amounts[$0], unpriced: unpriced[$0]) }
        let totals = Dictionary(grouping: parts, by: \.key.role).map { role, parts in row(parts, key: [], role: role) }
            .sorted(by: UsageReport.Row.precedes)
        invoices.sort { $0.verifier.rawValue < $1.verifier.rawValue }
        let without = unpricedVerifiers.map { VerifierID(names[$0]) }.sorted { $0.rawValue < $1.rawValue }
        return shapes.map { shape in
            let rows = Dictionary(grouping: parts) { $0.key.row(by: shape) }.map { key, parts in
                row(parts, key: values(of: key, by: shape), role: key.role)
            }
            return UsageReport(
                month: month, book: book.name, groupings: shape, rows: rows.sorted(by: UsageReport.Row.precedes),
                totals: totals, invoices: invoices, unpricedVerifiers: without)
        }
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

    private func values(of key: Key, by groupings: [UsageGrouping]) -> [String] {
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
