/// What an opened verifier can say of its own readiness.
public struct VerifierHealth: Sendable, Hashable {
    /// Whether it can verify now.
    public let isReady: Bool
    /// What an operator should look at: static codes such as `trust_anchor_expired`, each with the name of its file or
    /// key and days left where that applies.
    public let alarms: [Alarm]
    /// The certificates of our own that it works with, whether they give alarm or not.
    public let certificates: [HeldCertificate]

    /// A state of health.
    public init(isReady: Bool, alarms: [Alarm], certificates: [HeldCertificate] = []) {
        self.isReady = isReady
        self.alarms = alarms
        self.certificates = certificates
    }

    /// One thing to look at.
    public struct Alarm: Sendable, Hashable {
        /// A stable code.
        public let code: String
        /// What it is about: a file's or a key's name, never anything of a person.
        public let subject: String
        /// Days until it stops the verifier; negative when past; `nil` where time plays no part.
        public let daysLeft: Int?

        /// An alarm.
        public init(code: String, subject: String, daysLeft: Int?) {
            self.code = code
            self.subject = subject
            self.daysLeft = daysLeft
        }
    }
}

/// A verifier that reports its health.
public protocol HealthReporting: Sendable {
    /// The health at an instant; it does no input or output.
    func health(at now: Timestamp) -> VerifierHealth
}
