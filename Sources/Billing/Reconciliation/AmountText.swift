/// An amount as people and spreadsheet programs write one: thousands apart by commas, a yen sign, a minus that may be a
/// triangle or parentheses. What could mean two amounts means none: `1,5` is neither fifteen nor one and a half.
enum AmountText {
    /// The signs of yen. A reverse solidus is one in Windows-31J, where both have one code.
    private static let currencySigns: Set<Unicode.Scalar> = ["¥", "\u{FFE5}", "\\"]
    /// Minus signs: ASCII's, the mathematical, the full-width one, and the triangles of Japanese accounts.
    private static let minusSigns: Set<Unicode.Scalar> = ["-", "\u{2212}", "\u{FF0D}", "\u{25B3}", "\u{25B2}"]
    private static let spaces: Set<Unicode.Scalar> = [" ", "\u{A0}", "\u{3000}"]
    private static let digitsOfAGroup = 3

    /// The amount; `nil` for any other form.
    static func amount(_ text: String) -> ExactAmount? {
        var rest = text.unicodeScalars.map(folded)[...]
        trim(&rest)
        var isNegative = false
        if rest.first == "(" {
            guard rest.last == ")", rest.count > 2 else { return nil }
            isNegative = true
            rest = rest.dropFirst().dropLast()
            trim(&rest)
        }
        if rest.last == "円" {
            rest = rest.dropLast()
            trim(&rest)
        }
        // A minus and a yen sign, once each, in either order.
        var (isSigned, isMarked) = (false, false)
        while let first = rest.first {
            if !isSigned, minusSigns.contains(first) {
                guard !isNegative else { return nil }
                isSigned = true
            } else if !isMarked, currencySigns.contains(first) {
                isMarked = true
            } else {
                break
            }
            rest = rest.dropFirst()
            trim(&rest)
        }
        isNegative = isNegative || isSigned
        guard let digits = ungrouped(rest), let magnitude = ExactAmount(digits) else { return nil }
        return isNegative ? .zero - magnitude : magnitude
    }

    /// Without the commas of thousands; `nil` where a comma stands elsewhere, or a minus after all.
    private static func ungrouped(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
        guard !scalars.contains("-") else { return nil }
        let parts = scalars.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let groups = parts[0].split(separator: ",", omittingEmptySubsequences: false)
        if groups.count > 1 {
            guard (1...digitsOfAGroup).contains(groups[0].count),
                groups.dropFirst().allSatisfy({ $0.count == digitsOfAGroup })
            else { return nil }
        }
        var plain = String.UnicodeScalarView()
        for group in groups { plain.append(contentsOf: group) }
        if parts.count == 2 {
            plain.append(".")
            plain.append(contentsOf: parts[1])
        }
        return String(plain)
    }

    /// Full-width digits, points, commas and parentheses as ASCII's.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF10...0xFF19, 0xFF08, 0xFF09, 0xFF0C, 0xFF0E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        default: scalar
        }
    }

    private static func trim(_ scalars: inout ArraySlice<Unicode.Scalar>) {
        while let first = scalars.first, spaces.contains(first) { scalars = scalars.dropFirst() }
        while let last = scalars.last, spaces.contains(last) { scalars = scalars.dropLast() }
    }
}
