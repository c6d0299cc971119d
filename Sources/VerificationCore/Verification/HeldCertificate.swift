/// An X.509 certificate of our own that a verifier works with, and that ends some day.
public struct HeldCertificate: Sendable, Hashable {
    /// A certificate is announced as running out so long before its end.
    public static let expiryNotice = Duration.seconds(30 * 86_400)

    /// What it is for; the names are an interface.
    public enum Use: String, Sendable, CaseIterable, Hashable {
        /// Wallets seal to its key.
        case wallet
        /// A provider is shown it (mutual TLS).
        case client
    }

    /// What it is for.
    public let use: Use
    /// A file or a key, never anything of a person.
    public let name: String
    /// Its first valid instant.
    public let validFrom: Timestamp
    /// Its last valid instant.
    public let validUntil: Timestamp

    /// A certificate.
    public init(use: Use, name: String, validFrom: Timestamp, validUntil: Timestamp) {
        self.use = use
        self.name = name
        self.validFrom = validFrom
        self.validUntil = validUntil
    }

    /// Whether an instant lies in its time.
    public func isValid(at now: Timestamp) -> Bool { validFrom <= now && now <= validUntil }

    /// Whole days until its last instant; negative once that has passed.
    public func daysLeft(at now: Timestamp) -> Int {
        let day: Int64 = 86_400
        let seconds = validUntil.duration(since: now).components.seconds
        return Int(seconds >= 0 ? seconds / day : (seconds - day + 1) / day)
    }

    /// What has to be told of it at an instant.
    public func alarm(at now: Timestamp) -> VerifierHealth.Alarm? {
        let code = use.rawValue + "_certificate_"
        if now < validFrom {
            return VerifierHealth.Alarm(code: code + "not_yet_valid", subject: name, daysLeft: nil)
        }
        guard validUntil.duration(since: now) <= Self.expiryNotice else { return nil }
        return VerifierHealth.Alarm(
            code: code + (now > validUntil ? "expired" : "expiring"), subject: name, daysLeft: daysLeft(at: now))
    }
}
