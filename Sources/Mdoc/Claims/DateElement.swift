import CBOR
import VerificationCore

/// Reads elements that hold a calendar date. A date is never an instant, and is never completed or corrected.
enum DateElement {
    private static let dateTime: UInt64 = 0
    private static let daysSinceEpoch: UInt64 = 100
    private static let fullDate: UInt64 = 1004

    /// The date as text: `YYYY-MM-DD` where it is one, and otherwise as it was issued, such as `1985-00-00`.
    ///
    /// Issuers write a full-date (tag 1004, RFC 8943), plain text, a date-time in tag 0 of which the date counts as
    /// written, or the map of ISO/IEC 23220-2. Bare numbers are not read: nobody can tell days from seconds from digits.
    static func text(_ value: CBORItem) -> String? {
        switch value.kind {
        case .text: return (try? value.text()).map(datePart)
        case .map: return value["birth_date"].flatMap(text).map { masked($0, by: value["approximate_mask"]) }
        case .tag:
            switch value.tagNumber {
            case dateTime, fullDate:
                guard let inner = value.tagNumber.flatMap({ try? value.tag($0).text() }) else { return nil }
                return datePart(inner)
            case daysSinceEpoch:
                guard let days = try? value.tag(daysSinceEpoch).integer(), representable.contains(days) else {
                    return nil
                }
                return CivilDate(daysSinceEpoch: days).description
            default: return nil
            }
        case .unsigned, .negative, .bytes, .array, .boolean, .null, .undefined, .simple, .float: return nil
        }
    }

    /// The days of the years 0 to 9999.
    private static let representable: ClosedRange<Int64> = -719_528...2_932_896

    /// The date of a date-time, as written: no time zone moves it. Other text stays as it is.
    private static func datePart(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count > 10, bytes[10] == 0x54, CivilDate(String(decoding: bytes[..<10], as: UTF8.self)) != nil
        else {
            return text
        }
        return String(decoding: bytes[..<10], as: UTF8.self)
    }

    /// ISO/IEC 23220-2: a `1` in the mask of YYYYMMDD says that the digit is not known. Unknown digits are written as zeros, so
    /// that a year alone is `1985-00-00` and never the first of January.
    private static func masked(_ text: String, by mask: CBORItem?) -> String {
        guard let mask = mask.flatMap({ try? $0.text() }), mask.utf8.count == 8, CivilDate(text) != nil else {
            return text
        }
        var digits = Array(text.utf8)
        for (flag, position) in zip(mask.utf8, [0, 1, 2, 3, 5, 6, 8, 9]) where flag == 0x31 { digits[position] = 0x30 }
        return String(decoding: digits, as: UTF8.self)
    }
}
