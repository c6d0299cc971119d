/// An amount of money as an exact decimal: whole billionths of a currency's major unit. It is never a float.
public struct ExactAmount: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Digits after the point. Unit prices have six at most, and one more is never lost by adding or multiplying by
    /// whole numbers; nine leave room for whoever prices by the thousand.
    public static let fractionDigits = 9
    /// Digits before the point that a text may have: with ten to the ninth events a month still far from 128 bits.
    static let longestInteger = 15

    static let scale: Int128 = 1_000_000_000

    /// Billionths.
    let billionths: Int128

    init(billionths: Int128) {
        self.billionths = billionths
    }

    /// Nothing.
    public static let zero = ExactAmount(billionths: 0)

    /// An amount in minor units of a currency.
    public init(minorUnits: Int64, of currency: Currency) {
        billionths = Int128(minorUnits) * (Self.scale / currency.minorPerMajor)
    }

    /// Reads a plain decimal such as `80`, `0.5` or `-12.25`; `nil` for any other form (exponents, signs other than one
    /// minus, a bare point, separators, more than nine digits after the point).
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes = bytes.dropFirst() }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.count <= Self.longestInteger,
            whole.count == 1 || whole.first != UInt8(ascii: "0"), let integer = Self.digits(whole)
        else { return nil }
        var fraction: Int128 = 0
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].count <= Self.fractionDigits, let value = Self.digits(parts[1]) else {
                return nil
            }
            fraction = value
            for _ in parts[1].count..<Self.fractionDigits { fraction *= 10 }
        }
        let sum = integer * Self.scale + fraction
        billionths = isNegative ? -sum : sum
    }

    /// The plain decimal, without zeros that say nothing: `0.5`, `80`, `-12.25`.
    public var description: String {
        let magnitude = billionths < 0 ? -billionths : billionths
        var fraction = String(magnitude % Self.scale)
        fraction = String(repeating: "0", count: Self.fractionDigits - fraction.utf8.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return (billionths < 0 ? "-" : "") + String(magnitude / Self.scale) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The sum.
    public static func + (left: ExactAmount, right: ExactAmount) -> ExactAmount {
        ExactAmount(billionths: left.billionths + right.billionths)
    }

    /// The difference.
    public static func - (left: ExactAmount, right: ExactAmount) -> ExactAmount {
        ExactAmount(billionths: left.billionths - right.billionths)
    }

    /// So many of it.
    public static func * (left: ExactAmount, right: Int64) -> ExactAmount {
        ExactAmount(billionths: left.billionths * Int128(right))
    }

    /// Adds.
    public static func += (left: inout ExactAmount, right: ExactAmount) {
        left = left + right
    }

    /// Compares.
    public static func < (left: ExactAmount, right: ExactAmount) -> Bool { left.billionths < right.billionths }

    /// Whole minor units of a currency, rounded once.
    public func minorUnits(of currency: Currency, _ rounding: Rounding) -> Int64 {
        Int64(clamping: rounding.quotient(billionths, by: Self.scale / currency.minorPerMajor))
    }

    private static func digits(_ bytes: ArraySlice<UInt8>) -> Int128? {
        var value: Int128 = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int128(byte - UInt8(ascii: "0"))
        }
        return value
    }
}
