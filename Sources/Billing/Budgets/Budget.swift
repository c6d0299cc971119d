public import VerificationCore

/// How much may be used in a day or a month: past the first limit somebody is told, past the second nothing more is
/// begun.
public struct Budget: Sendable, Hashable {
    /// What it is for: begun anew each time.
    public enum Period: String, Sendable, CaseIterable, Hashable {
        case day, month
    }

    /// What is counted.
    public enum Unit: String, Sendable, CaseIterable, Hashable {
        /// Submissions to a verifier, in every role, when they leave.
        case attempts
        /// What counts as billed, in quantities of all classes, when its end is written.
        case billable
    }

    /// The verifier; `nil` counts all of them together.
    public let verifier: VerifierID?
    /// The client; `nil` counts all of them together.
    public let client: ClientID?
    /// How long it is for.
    public let period: Period
    /// What is counted.
    public let unit: Unit
    /// From this many on somebody is told.
    public let soft: Int64?
    /// From this many on nothing more is begun.
    public let hard: Int64?

    /// A budget.
    public init(
        verifier: VerifierID?, client: ClientID?, period: Period, unit: Unit, soft: Int64?, hard: Int64?
    ) {
        self.verifier = verifier
        self.client = client
        self.period = period
        self.unit = unit
        self.soft = soft
        self.hard = hard
    }

    func holds(_ verifier: VerifierID, _ client: ClientID) -> Bool {
        (self.verifier == nil || self.verifier == verifier) && (self.client == nil || self.client == client)
    }
}
