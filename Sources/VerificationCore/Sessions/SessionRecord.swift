/// A session as the store keeps it. Whatever leads back to a person is in the sealed parts.
public struct SessionRecord: Sendable, Hashable {
    /// The session's name.
    public var id: SessionID
    /// The client that opened it; no other app sees it.
    public var client: ClientID
    /// The purpose.
    public var purpose: PurposeID
    /// The document type asked for.
    public var documentType: String
    /// The verifier that it is pinned to.
    public var verifier: VerifierID
    /// The verifier's kind.
    public var verifierKind: String
    /// Whether the verifier is a simulator.
    public var isSimulated: Bool
    /// The state.
    public var status: SessionStatus
    /// The nonce: unique in the store, for as long as the session is kept.
    public var nonce: Nonce
    /// Merchant and team identifier that the wallet was asked with.
    public var walletIdentity: WalletIdentity
    /// The configuration version that it was created under.
    public var configurationVersion: String
    /// When it was created.
    public var createdAt: Timestamp
    /// The last instant at which a submission is taken.
    public var expiresAt: Timestamp
    /// When a submission claimed it.
    public var claimedAt: Timestamp?
    /// When a session in `processing` becomes `failed`.
    public var processingDeadline: Timestamp?
    /// When it reached a final state.
    public var endedAt: Timestamp?
    /// Why it ended without a verdict.
    public var failure: FailureCode?
    /// What the app said when it cancelled, one of a closed set of the interface's.
    public var cancelReason: String?
    /// The checks, once there is a verdict.
    public var report: Report?
    /// The certification that the verdict was reached under.
    public var certification: Certification?
    /// The provider's own reference.
    public var providerReference: String?
    /// When claims, reference and document digest are erased.
    public var eraseAt: Timestamp?
    /// When they were.
    public var erasedAt: Timestamp?
    /// The session's own key, wrapped by the gateway's sealing key; `nil` once erased.
    public var wrappedKey: SealedBytes?
    /// The sealed context: the app's reference and the verifier's challenge state.
    public var sealedContext: SealedBytes?
    /// The sealed result: the claims and the document.
    public var sealedResult: SealedBytes?
    /// A keyed digest of client and reference, by which an operator finds the session; erased with the rest.
    public var referenceIndex: [UInt8]?

    /// How its verifier was picked.
    public var routing = Routing()
    /// The attempt of the pinned verifier.
    public var attempt: AttemptID?
    /// The verifier that gave the verdict where it is not the pinned one: a fallback.
    public var answeredBy: VerifierID?
    /// What a verifier that answers later is waited for with; `nil` where nothing is to be asked.
    public var wait: ProviderWait?
    /// Whether its client is told by a webhook when it ends.
    public var notifies = false
    /// What an erasure needs to have the provider erase as well, sealed by the gateway's own key, because by then the
    /// session's key is gone.
    public var eraseTicket: SealedBytes?
    /// The legal method as the law named it on the verdict's day; it stays when the claims are erased.
    public var legalMethod: LegalMethod?
    /// The names of the claims that were confirmed, in order; they stay when the claims are erased.
    public var confirmedClaims: [ClaimName] = []
    /// When the contract that the person was verified for began and ended.
    public var contract = Contract()
    /// Keeps the session from being erased.
    public var hold: LegalHold?

    /// A session just created.
    public init(
        id: SessionID, client: ClientID, purpose: PurposeID, documentType: String, verifier: VerifierDescription,
        nonce: Nonce, walletIdentity: WalletIdentity, configurationVersion: String, createdAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.client = client
        self.purpose = purpose
        self.documentType = documentType
        self.verifier = verifier.id
        self.verifierKind = verifier.kind
        self.isSimulated = verifier.isSimulated
        self.certification = verifier.certification
        self.status = .created
        self.nonce = nonce
        self.walletIdentity = walletIdentity
        self.configurationVersion = configurationVersion
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
