public import VerificationCore

/// The time under a signature, and how far it may lie from ours.
public enum SignedTime {
    /// What the Standard Webhooks specification and most senders use.
    public static let standardTolerance: Duration = .seconds(300)
    /// Digits enough for the year 5138; longer numbers are milliseconds, or an attack on whoever adds them up.
    static let mostDigits = 11

    /// The time of a text of whole seconds since 1970: digits alone, no sign, no point, no leading zero.
    public static func seconds(_ text: some StringProtocol) throws(WebhookError) -> Timestamp {
        Timestamp(seconds: try whole(text, digits: mostDigits))
    }

    /// The time of a text of whole milliseconds since 1970, written as strictly.
    public static func milliseconds(_ text: some StringProtocol) throws(WebhookError) -> Timestamp {
        Timestamp(milliseconds: try whole(text, digits: mostDigits + 3))
    }

    private static func whole(_ text: some StringProtocol, digits most: Int) throws(WebhookError) -> Int64 {
        let digits = Array(text.utf8)
        guard (1...most).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits[0] != 0x30, let number = Int64(text)
        else { throw .timestampMalformed }
        return number
    }

    /// Throws where `time` lies further from `now` than the tolerance, before or after; exactly at it is inside.
    public static func check(_ time: Timestamp, at now: Timestamp, tolerance: Duration) throws(WebhookError) {
        guard time >= now.advanced(by: .zero - tolerance), time <= now.advanced(by: tolerance) else {
            throw .outsideTolerance
        }
    }
}
