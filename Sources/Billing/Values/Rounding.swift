/// How a fraction of a minor unit is settled. Amounts below zero mirror those above: a credit rounds as its debit did.
public enum Rounding: String, Sendable, CaseIterable, Hashable {
    /// Towards zero (切り捨て): what most Japanese invoices do with consumption tax.
    case down
    /// To the nearest, a half away from zero (四捨五入).
    case halfUp = "half_up"
    /// Away from zero (切り上げ).
    case up

    func quotient(_ value: Int128, by divisor: Int128) -> Int128 {
        let magnitude = value < 0 ? -value : value
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: divisor)
        let isMore: Bool =
            switch self {
            case .down: false
            case .halfUp: rest * 2 >= divisor
            case .up: rest > 0
            }
        let rounded = whole + (isMore ? 1 : 0)
        return value < 0 ? -rounded : rounded
    }
}
