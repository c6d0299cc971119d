/// The certification under which a verifier verifies.
public struct Certification: Sendable, Hashable {
    /// The regime, such as `bango-18-4`.
    public let regime: String
    /// Who holds it.
    public let holder: String
    /// The certified program.
    public let program: String
    /// Its version.
    public let version: String
    /// The certificate's number.
    public let number: String
    /// First instant of its validity.
    public let validFrom: Timestamp
    /// Last instant of its validity.
    public let validUntil: Timestamp

    /// A certification.
    public init(
        regime: String, holder: String, program: String, version: String, number: String, validFrom: Timestamp,
        validUntil: Timestamp
    ) {
        self.regime = regime
        self.holder = holder
        self.program = program
        self.version = version
        self.number = number
        self.validFrom = validFrom
        self.validUntil = validUntil
    }

    /// Whether it is valid at an instant, both ends included.
    public func isCurrent(at now: Timestamp) -> Bool { validFrom <= now && now <= validUntil }
}
