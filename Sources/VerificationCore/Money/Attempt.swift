/// The role in which a verifier was used.
public enum AttemptRole: String, Sendable, CaseIterable, Hashable {
    case primary, fallback, shadow
}

/// What a call may be billed for.
public enum BillableClass: String, Sendable, CaseIterable, Hashable {
    case sessionCreated = "session_created"
    case evidenceSubmitted = "evidence_submitted"
    case completedAny = "completed_any"
    case completedPass = "completed_pass"
    case completedFail = "completed_fail"
    case resubmission
    case statusCheck = "status_check"
    case dataRefetch = "data_refetch"
    case nonBillable = "non_billable"
}

/// How an attempt ended.
public enum AttemptOutcome: String, Sendable, CaseIterable, Hashable {
    case verified, rejected, failed
}

/// Names one call of an attempt: the step, and its number where a step can be made more than once.
public struct CallName: RawRepresentable, Sendable, Hashable {
    /// Such as `submit` or `fetch:2`.
    public let rawValue: String

    /// A name as it was kept.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name of a call; steps that are made once have no number.
    public init(_ step: VerificationStep, number: Int? = nil) {
        rawValue = number.map { "\(step.rawValue):\($0)" } ?? step.rawValue
    }
}
