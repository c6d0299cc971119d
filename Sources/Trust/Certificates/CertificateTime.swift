import VerificationCore

/// The digits of an X.509 time.
enum CertificateTime {
    /// Reads `YYYYMMDDHHMMSSZ` and nothing else: no fraction, no offset, no missing seconds (RFC 5280 section 4.1.2.5).
    ///
    /// Which years are written in which of the two forms is left to the issuer: either says the same instant.
    static func timestamp(_ text: [UInt8]) -> Timestamp? {
        guard text.count == 15, text[14] == 0x5A, text.dropLast().allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)), hour < 24,
            minute < 60, second < 60
        else { return nil }
        return Timestamp(seconds: date.daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second))
    }
}
