/// A currency by its ISO 4217 code, with the digits that its minor unit has.
public struct Currency: Sendable, Hashable, CustomStringConvertible {
    /// The code, such as `JPY`.
    public let code: String
    /// Digits of the minor unit: none for the yen, two or three for others.
    public let minorDigits: Int

    /// A currency that is known; `nil` for any other code, because guessing two digits would be wrong by a hundred.
    public init?(_ code: String) {
        guard let digits = Self.known[code] else { return nil }
        self.code = code
        minorDigits = digits
    }

    private init(code: String, minorDigits: Int) {
        self.code = code
        self.minorDigits = minorDigits
    }

    /// The yen.
    public static let yen = Currency(code: "JPY", minorDigits: 0)

    /// Minor units in one major unit.
    var minorPerMajor: Int128 {
        var value: Int128 = 1
        for _ in 0..<minorDigits { value *= 10 }
        return value
    }

    /// The code.
    public var description: String { code }

    /// An amount in minor units as a plain decimal: `1200` yen, `12.50` euro.
    public func text(minorUnits: Int64) -> String {
        guard minorDigits > 0 else { return String(minorUnits) }
        let digits = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, minorDigits + 1 - digits.utf8.count)) + digits
        return (minorUnits < 0 ? "-" : "") + padded.dropLast(minorDigits) + "." + padded.suffix(minorDigits)
    }

    /// The currencies that providers of ours bill in (ISO 4217, list one).
    private static let known = [
        "JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "USD": 2, "EUR": 2, "GBP": 2, "CHF": 2, "AUD": 2, "CAD": 2, "SGD": 2,
        "HKD": 2, "CNY": 2, "TWD": 2, "INR": 2, "NZD": 2, "SEK": 2, "NOK": 2, "DKK": 2, "THB": 2, "KWD": 3, "BHD": 3,
        "JOD": 3, "OMR": 3, "TND": 3,
    ]
}
