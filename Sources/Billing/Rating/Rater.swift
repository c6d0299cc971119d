public import VerificationCore

/// Prices one verifier's events of one month.
///
/// Events come in the order of their billing times: a graduated price depends on an event's position in the month. The
/// position is counted over the whole month, whichever tariff is in force; an event costs what the tariff of its own day
/// says for that position. The flat fee and the minimum are those of the tariff in force when the month begins, or of the
/// first one that begins within it.
public struct Rater: Sendable {
    /// The prices.
    public let prices: VerifierPrices
    /// The month.
    public let month: BillingMonth

    private struct Cell: Hashable {
        let billableClass: BillableClass
        let tariff: Int
        /// The step; `nil` for the free ones, and for volume prices, whose step is known at the end.
        let step: Int?
        let isFree: Bool
    }

    /// How many events there were at one price, by group.
    private struct Tally {
        let cell: Cell
        var quantities: [Int: Int64] = [:]
    }

    /// Where the next event of a class goes, until the tariff changes or the step is full: a month has a million events
    /// and a handful of prices, so the price is not looked for each time.
    private enum Fate {
        case unknown, unpriced, notBilled
        /// The place of the tally, and how many more it takes.
        case priced(tally: Int, room: Int64)
    }

    private var tallies: [Tally] = []
    private var places: [Cell: Int] = [:]
    private var positions: [Int64]
    private var fates: [Fate]
    private var unpriced: [BillableClass: [Int: Int64]] = [:]
    private var day: (range: Range<Timestamp>, tariff: Int?)?

    /// A rater that has seen nothing.
    public init(_ prices: VerifierPrices, month: BillingMonth) {
        self.prices = prices
        self.month = month
        positions = Array(repeating: 0, count: BillableClass.allCases.count)
        fates = Array(repeating: .unknown, count: BillableClass.allCases.count)
    }

    /// Adds an event. `group` is whatever the caller wants sums by.
    public mutating func add(_ billableClass: BillableClass, at time: Timestamp, quantity: Int64, group: Int) {
        guard billableClass != .nonBillable, quantity > 0 else { return }
        if day?.range.contains(time) != true { begin(dayOf: time) }
        let ordinal = billableClass.ordinal
        var left = quantity
        while left > 0 {
            switch fates[ordinal] {
            case .unknown: fates[ordinal] = fate(of: billableClass)
            case .notBilled: return
            case .unpriced:
                unpriced[billableClass, default: [:]][group, default: 0] += left
                return
            case .priced(let tally, let room):
                let taken = min(left, room)
                tallies[tally].quantities[group, default: 0] += taken
                positions[ordinal] += taken
                left -= taken
                // What has no end stays without one.
                if room != .max { fates[ordinal] = taken < room ? .priced(tally: tally, room: room - taken) : .unknown }
            }
        }
    }

    /// Where the event after the last position of a class goes under the tariff in force.
    private mutating func fate(of billableClass: BillableClass) -> Fate {
        guard let index = day?.tariff else { return .unpriced }
        let tariff = prices.tariffs[index]
        guard let price = tariff.prices[billableClass] else {
            return tariff.notBilled.contains(billableClass) ? .notBilled : .unpriced
        }
        let (cell, room) = place(price, billableClass, index, after: positions[billableClass.ordinal])
        let tally = places[cell] ?? tallies.endIndex
        if tally == tallies.endIndex {
            tallies.append(Tally(cell: cell))
            places[cell] = tally
        }
        return .priced(tally: tally, room: room ?? .max)
    }

    /// The cell of the event after `position`, and how many fit into it.
    private func place(
        _ price: Price, _ billableClass: BillableClass, _ tariff: Int, after position: Int64
    ) -> (Cell, Int64?) {
        if position < price.free {
            let cell = Cell(billableClass: billableClass, tariff: tariff, step: nil, isFree: true)
            return (cell, price.free - position)
        }
        guard price.kind == .graduated else {
            return (Cell(billableClass: billableClass, tariff: tariff, step: nil, isFree: false), nil)
        }
        let own = position - price.free
        let step = price.step(at: own + 1)
        let cell = Cell(billableClass: billableClass, tariff: tariff, step: step, isFree: false)
        return (cell, price.steps[step].upTo.map { $0 - own })
    }

    /// Takes the tariff of another day into force.
    private mutating func begin(dayOf time: Timestamp) {
        let date = prices.zone.day(of: time)
        let start = prices.zone.start(of: date)
        let end = prices.zone.start(of: CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1))
        let before = day
        let index = prices.tariff(on: date)
        day = (start..<end, index)
        if before.map({ $0.tariff != index }) ?? true {
            for ordinal in fates.indices { fates[ordinal] = .unknown }
        }
    }

    /// The invoice that is to be expected.
    public func invoice() -> Invoice {
        var lines: [Invoice.Line] = []
        var groups: [Int: ExactAmount] = [:]
        for tally in tallies {
            let (cell, byGroup) = (tally.cell, tally.quantities)
            let price = prices.tariffs[cell.tariff].prices[cell.billableClass]
            let total = positions[cell.billableClass.ordinal] - (price?.free ?? 0)
            let unit: ExactAmount
            let step: Int?
            if let price, !cell.isFree {
                let index = cell.step ?? price.step(at: max(total, 1))
                (unit, step) = (price.steps[index].unit, index)
            } else {
                (unit, step) = (.zero, nil)
            }
            for (group, quantity) in byGroup { groups[group, default: .zero] += unit * quantity }
            lines.append(
                Invoice.Line(
                    billableClass: cell.billableClass, tariff: cell.tariff, step: step, isFree: cell.isFree,
                    quantity: byGroup.values.reduce(0, +), unit: unit))
        }
        lines.sort { $0.order < $1.order }
        return Invoice(prices: prices, month: month, lines: lines, groups: groups, unpriced: unpriced)
    }
}
