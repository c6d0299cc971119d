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

/// How a verifier's work on a submission came out.
public enum Conclusion: Sendable {
    /// A verdict, with what happened on the way to it.
    case verdict(Verdict, incidents: [Incident])
    /// No verdict yet; ask again after the duration.
    case pending(retryAfter: Duration?)
}

/// Something that must be counted and looked into, and that holds no value of the person's.
public enum Incident: String, Sendable, CaseIterable, Hashable {
    /// A マイナンバー arrived although it cannot be requested; it was dropped.
    case individualNumberReceived = "individual_number_received"
    /// An element arrived that the purpose does not allow; it was dropped.
    case unrequestedElementReceived = "unrequested_element_received"
}
