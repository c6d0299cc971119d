import VerificationCore

/// Finds what can only be a マイナンバー in what a provider gives out of a My Number Card.
///
/// The number has twelve digits, of which the last is a check digit (番号法施行規則 / 行政手続における特定の個人を識別する
/// ための番号の利用等に関する法律の規定による通知カード及び個人番号カード並びに情報提供ネットワークシステムによる特定個人情報の
/// 提供等に関する命令, article 5). Full-width digits count as digits, and white space, hyphens and invisible signs between digits
/// count as nothing. A claim that holds one is dropped whole: what is left of it might still be one.
enum IndividualNumberFilter {
    /// Its length.
    static let length = 12

    /// Whether a claim holds one anywhere: in its text, as a number, in the members and names of lists and records, or spread
    /// over the texts of one list.
    static func isHit(_ value: ClaimValue) -> Bool {
        switch value {
        case .text(let text): return isHit(text)
        case .integer(let number): return isHit(String(number))
        case .boolean, .image: return false
        case .list(let elements):
            return elements.contains(where: isHit) || isHit(elements.compactMap(text).joined(separator: " "))
        case .record(let members):
            return members.contains { isHit($0.name) || isHit($0.value) }
                || isHit(members.compactMap { text($0.value) }.joined(separator: " "))
        }
    }

    /// Whether a text holds one: as any twelve digits of an unbroken row, or as neighbouring groups of digits that make twelve.
    static func isHit(_ text: String) -> Bool {
        for row in rows(text) {
            let all = row.flatMap(\.self)
            if all.count < length { continue }
            if row.contains(where: holdsInside) { return true }
            for start in row.indices {
                var digits: [UInt8] = []
                for group in row[start...] {
                    digits += group
                    if digits.count >= length { break }
                }
                if digits.count == length, isValid(digits) { return true }
            }
        }
        return false
    }

    /// Whether twelve digits end in their check digit.
    static func isValid(_ digits: [UInt8]) -> Bool {
        guard digits.count == length else { return false }
        var sum = 0
        for place in 1...11 {
            // The first place is the one beside the check digit.
            sum += Int(digits[11 - place]) * (place <= 6 ? place + 1 : place - 5)
        }
        let rest = sum % 11
        return digits[11] == (rest <= 1 ? 0 : UInt8(11 - rest))
    }

    private static func text(_ value: ClaimValue) -> String? {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .boolean, .image, .list, .record: nil
        }
    }

    private static func holdsInside(_ group: [UInt8]) -> Bool {
        guard group.count >= length else { return false }
        return (0...(group.count - length)).contains { isValid(Array(group[$0..<$0 + length])) }
    }

    /// The rows of digits in a text, each as the groups that separators make of it.
    private static func rows(_ text: String) -> [[[UInt8]]] {
        var rows: [[[UInt8]]] = []
        var row: [[UInt8]] = []
        var group: [UInt8] = []
        func closeGroup() {
            if !group.isEmpty { row.append(group) }
            group = []
        }
        for scalar in text.unicodeScalars {
            if let digit = digit(scalar) {
                group.append(digit)
            } else if isSeparator(scalar) {
                closeGroup()
            } else if !isInvisible(scalar) {
                closeGroup()
                if !row.isEmpty { rows.append(row) }
                row = []
            }
        }
        closeGroup()
        if !row.isEmpty { rows.append(row) }
        return rows
    }

    private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.properties.numericType {
        case .decimal, .digit: scalar.properties.numericValue.map { UInt8($0) }
        case .numeric, nil: nil
        @unknown default: nil
        }
    }

    /// White space and whatever looks like a hyphen or a stroke between digits.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation { return true }
        return hyphens.contains(scalar.value)
    }

    /// Minus signs, the long vowel marks that stand in for hyphens in Japanese text, bullets, full stops, commas and slashes.
    private static let hyphens: Set<UInt32> = [
        0x2212, 0x207B, 0x208B, 0x30FC, 0xFF70, 0xFF0D, 0x2500, 0x2501, 0x00AF, 0x02D7, 0x2043, 0x2796, 0x30FB, 0xFF65,
        0x00B7, 0x2022, 0x002E, 0xFF0E, 0x002C, 0xFF0C, 0x3001, 0x002F, 0xFF0F, 0x005F, 0xFF3F,
    ]

    /// Format characters, variation selectors and marks between digits do not part them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .nonspacingMark, .enclosingMark, .control: true
        default: false
        }
    }
}
