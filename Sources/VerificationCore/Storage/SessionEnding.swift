/// How a session in `processing` ends.
public struct SessionEnding: Sendable, Hashable {
    /// The kinds of ending.
    public enum Kind: Sendable, Hashable {
        case verified
        case rejected
        case failed(FailureCode)
    }

    /// The kind.
    public var kind: Kind
    /// When.
    public var at: Timestamp
    /// The checks, for a verdict.
    public var report: Report?
    /// The sealed claims and document.
    public var sealedResult: SealedBytes?
    /// The provider's reference.
    public var providerReference: String?
    /// When the claims are erased.
    public var eraseAt: Timestamp?
    /// The verifier that gave the verdict, where it is not the pinned one.
    public var answeredBy: VerifierID?
    /// The certification that the verdict was reached under; `nil` leaves what the session has.
    public var certification: Certification?
    /// What the provider's erasure will need from now on; `nil` leaves what the session has.
    public var eraseTicket: SealedBytes?
    /// The legal method as the law names it on this day.
    public var legalMethod: LegalMethod?
    /// The names of the claims that were confirmed.
    public var confirmedClaims: [ClaimName] = []
    /// What has to be counted with it.
    public var incidents: [Incident]

    /// An ending.
    public init(kind: Kind, at: Timestamp, report: Report? = nil) {
        self.kind = kind
        self.at = at
        self.report = report
        self.incidents = []
    }

    /// The event of the state machine.
    public var event: SessionEvent {
        switch kind {
        case .verified: .verify
        case .rejected: .reject
        case .failed: .fail
        }
    }
}
