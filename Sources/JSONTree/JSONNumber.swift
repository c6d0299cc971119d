/// A number as it was written. It is never read through floating point.
public struct JSONNumber: Sendable, Hashable {
    /// The text, exactly as it stood.
    public let text: String

    /// A number from text that the parser has checked.
    init(text: String) {
        self.text = text
    }

    /// The value of a number written as a whole number; `nil` for a fraction, an exponent (`60.0` and `1e3` are not
    /// whole numbers here), or a value beyond 64 bits.
    public var integer: Int64? {
        var digits = Array(text.utf8)[...]
        var isNegative = false
        if let sign = digits.first, sign == 0x2D || sign == 0x2B {
            isNegative = sign == 0x2D
            digits = digits.dropFirst()
        }
        var radix: Int64 = 10
        if digits.count > 2, digits[digits.startIndex] == 0x30, digits[digits.startIndex + 1] | 0x20 == 0x78 {
            radix = 16
            digits = digits.dropFirst(2)
        }
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard let digit = hexValue(byte), digit < radix else { return nil }
            let (scaled, tooLarge) = value.multipliedReportingOverflow(by: radix)
            // Counted downwards below zero, so that the smallest Int64 is read too.
            let (next, overflow) = scaled.addingReportingOverflow(isNegative ? -Int64(digit) : Int64(digit))
            if tooLarge || overflow { return nil }
            value = next
        }
        return value
    }
}

func hexValue(_ byte: UInt8) -> Int64? {
    switch byte {
    case 0x30...0x39: Int64(byte) - 0x30
    case 0x41...0x46: Int64(byte) - 0x41 + 10
    case 0x61...0x66: Int64(byte) - 0x61 + 10
    default: nil
    }
}
