/// A rate of tax as an exact decimal: millionths.
public struct TaxRate: Sendable, Hashable, CustomStringConvertible {
    /// Digits after the point: rates are whole per cents or tenths of one.
    static let fractionDigits = 6

    let millionths: Int64

    /// Reads `0.10` for ten per cent; `nil` for what is no plain decimal from 0 to 1 with at most six digits.
    public init?(_ text: String) {
        guard let value = ExactAmount(text), value >= .zero, value.millionths <= ExactAmount.scale
        else { return nil }
        millionths = Int64(value.millionths)
    }

    /// The tax on an amount in minor units, rounded once.
    public func tax(onMinorUnits amount: Int64, _ rounding: Rounding) -> Int64 {
        Int64(clamping: rounding.quotient(Int128(amount) * Int128(millionths), by: 1_000_000))
    }

    /// The plain decimal.
    public var description: String { ExactAmount(millionths: millionths).description }
}
