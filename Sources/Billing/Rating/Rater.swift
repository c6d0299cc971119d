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

    private var quantities: [Cell: [Int: Int64]] = [:]
    private var positions: [BillableClass: Int64] = [:]
    private var unpriced: [BillableClass: [Int: Int64]] = [:]
    private var day: (range: Range<Timestamp>, tariff: Int?)?

    /// A rater that has seen nothing.
    public init(_ prices: VerifierPrices, month: BillingMonth) {
        self.prices = prices
        self.month = month
    }

    /// Adds an event. `group` is whatever the caller wants sums by.
    public mutating func add(_ billableClass: BillableClass, at time: Timestamp, quantity: Int64, group: Int) {
        guard billableClass != .nonBillable, quantity > 0 else { return }
        guard let index = tariff(at: time) else {
            unpriced[billableClass, default: [:]][group, default: 0] += quantity
            return
        }
        let tariff = prices.tariffs[index]
        guard let price = tariff.prices[billableClass] else {
            if !tariff.notBilled.contains(billableClass) {
                unpriced[billableClass, default: [:]][group, default: 0] += quantity
            }
            return
        }
        var position = positions[billableClass, default: 0]
        var left = quantity
        while left > 0 {
            let (cell, room) = place(price, billableClass, index, after: position)
            let taken = min(left, room ?? left)
            quantities[cell, default: [:]][group, default: 0] += taken
            position += taken
            left -= taken
        }
        positions[billableClass] = position
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

    private mutating func tariff(at time: Timestamp) -> Int? {
        if let day, day.range.contains(time) { return day.tariff }
        let date = prices.zone.day(of: time)
        let start = prices.zone.start(of: date)
        let end = prices.zone.start(of: CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1))
        let index = prices.tariff(on: date)
        day = (start..<end, index)
        return index
    }

    /// The invoice that is to be expected.
    public func invoice() -> Invoice {
        var lines: [Invoice.Line] = []
        var groups: [Int: ExactAmount] = [:]
        for (cell, byGroup) in quantities {
            let price = prices.tariffs[cell.tariff].prices[cell.billableClass]
            let total = (positions[cell.billableClass] ?? 0) - (price?.free ?? 0)
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
