/// An amount of money as an exact decimal: whole millionths of a currency's major unit. It is never a float.
public struct ExactAmount: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Digits after the point: a price by the thousand or the hundred thousand is still exact, and adding or multiplying
    /// by whole numbers needs no more.
    public static let fractionDigits = 6
    /// Digits before the point that a text may have: with ten to the ninth events a month still far from 128 bits.
    static let longestInteger = 15

    static let scale: Int128 = 1_000_000

    /// Millionths.
    let millionths: Int128

    init(scaled millionths: Int128) {
        self.millionths = millionths
    }

    /// Nothing.
    public static let zero = ExactAmount(scaled: 0)

    /// A whole number.
    public init(_ whole: Int64) {
        millionths = Int128(whole) * Self.scale
    }

    /// The whole part, rounded towards zero.
    public var whole: Int64 { Int64(clamping: millionths / Self.scale) }

    /// An amount in minor units of a currency.
    public init(minorUnits: Int64, of currency: Currency) {
        millionths = Int128(minorUnits) * (Self.scale / currency.minorPerMajor)
    }

    /// An amount in millionths of the major unit, as the ledger keeps it.
    public init(millionths: Int64) {
        self.millionths = Int128(millionths)
    }

    /// The millionths, as the ledger keeps them; `nil` beyond nine trillion.
    public var ledgerMillionths: Int64? { Int64(exactly: millionths) }

    /// Reads a plain decimal such as `80`, `0.5` or `-12.25`; `nil` for any other form (exponents, signs other than one
    /// minus, a bare point, separators, more than six digits after the point).
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
        millionths = isNegative ? -sum : sum
    }

    /// The plain decimal, without zeros that say nothing: `0.5`, `80`, `-12.25`.
    public var description: String {
        let magnitude = millionths < 0 ? -millionths : millionths
        var fraction = String(magnitude % Self.scale)
        fraction = String(repeating: "0", count: Self.fractionDigits - fraction.utf8.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return (millionths < 0 ? "-" : "") + String(magnitude / Self.scale) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The sum.
    public static func + (left: ExactAmount, right: ExactAmount) -> ExactAmount {
        ExactAmount(scaled: left.millionths + right.millionths)
    }

    /// The difference.
    public static func - (left: ExactAmount, right: ExactAmount) -> ExactAmount {
        ExactAmount(scaled: left.millionths - right.millionths)
    }

    /// So many of it.
    public static func * (left: ExactAmount, right: Int64) -> ExactAmount {
        ExactAmount(scaled: left.millionths * Int128(right))
    }

    /// Adds.
    public static func += (left: inout ExactAmount, right: ExactAmount) {
        left = left + right
    }

    /// Compares.
    public static func < (left: ExactAmount, right: ExactAmount) -> Bool { left.millionths < right.millionths }

    /// Whole minor units of a currency, rounded once.
    public func minorUnits(of currency: Currency, _ rounding: Rounding) -> Int64 {
        Int64(clamping: rounding.quotient(millionths, by: Self.scale / currency.minorPerMajor))
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
