import VerificationCore

/// The time under a signature, and how far it may lie from ours.
public enum SignedTime {
    /// What the Standard Webhooks specification and most senders use.
    public static let standardTolerance: Duration = .seconds(300)
    /// Digits enough for the year 5138; longer numbers are milliseconds, or an attack on whoever adds them up.
    static let mostDigits = 11

    /// The time of a text of whole seconds since 1970: digits alone, no sign, no point, no leading zero.
    static func read(_ text: some StringProtocol) throws(WebhookError) -> Timestamp {
        let digits = Array(text.utf8)
        guard (1...mostDigits).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits[0] != 0x30, let seconds = Int64(text)
        else { throw .timestampMalformed }
        return Timestamp(seconds: seconds)
    }

    /// Throws where `time` lies further from `now` than the tolerance, before or after; exactly at it is inside.
    static func check(_ time: Timestamp, at now: Timestamp, tolerance: Duration) throws(WebhookError) {
        guard time >= now.advanced(by: .zero - tolerance), time <= now.advanced(by: tolerance) else {
            throw .outsideTolerance
        }
    }
}
