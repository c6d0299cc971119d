public import VerificationCore

/// What came of a verification.
public struct MdocResult: Sendable {
    /// Every check.
    public let report: Report
    /// The checks that had to pass.
    public let required: RequiredChecks
    /// The claims that the purpose allows; empty unless every required check passed and none failed.
    public let claims: Sensitive<ClaimSet>
    /// What is known of the document, if one could be read.
    public let document: Sensitive<DocumentFacts>?
    /// What must be counted: each incident at most once.
    public let incidents: [Incident]
    /// Whether revocation data was wanted and not to be had, so that nobody can say.
    public let isRevocationUndetermined: Bool

    /// The verdict; `nil` where no check failed and yet one that must pass was not made: we do not know.
    public var verdict: Verdict? {
        if let document, let verified = VerifiedClaims(claims, document: document, report: report, required: required) {
            return .verified(verified, report)
        }
        return report.failures.isEmpty ? nil : .rejected(report, document)
    }
}
