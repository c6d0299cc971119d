/// The one way to hold verified claims: every check required of the kind passed and none failed.
public struct VerifiedClaims: Sendable {
    /// The claims that the purpose allows.
    public let claims: Sensitive<ClaimSet>
    /// The document behind them.
    public let document: Sensitive<DocumentFacts>

    /// Holds claims; `nil` unless `report` shows every check of `required` passed and no other failed.
    public init?(
        _ claims: Sensitive<ClaimSet>, document: Sensitive<DocumentFacts>, report: Report, required: RequiredChecks
    ) {
        guard report.allPassed(required.names) else { return nil }
        self.claims = claims
        self.document = document
    }
}

/// A final answer. It is never retried and never falls back.
public enum Verdict: Sendable {
    /// The person presented a genuine document that satisfies the purpose.
    case verified(VerifiedClaims, Report)
    /// They did not; the report says which checks failed. The document is what is known of it, if anything.
    case rejected(Report, Sensitive<DocumentFacts>?)

    /// The report of either.
    public var report: Report {
        switch self {
        case .verified(_, let report), .rejected(let report, _): report
        }
    }
}
