/// What the gateway knows of a verifier without asking it.
public struct VerifierDescription: Sendable, Hashable {
    /// Its name in the configuration.
    public let id: VerifierID
    /// Its kind, such as `in_house`.
    public let kind: String
    /// Whether its results are simulated.
    public let isSimulated: Bool
    /// Its certification, if it declares one.
    public let certification: Certification?
    /// The document types that it can verify.
    public let documentTypes: Set<String>
    /// The claims that it can ever give, by document type; `nil` where it gives what the document has.
    public let claims: [String: Set<ClaimName>]?
    /// Whose key wallets encrypt to for it; `nil` where its provider says so for each session.
    public let walletKeys: WalletKeys?
    /// Who makes the nonce.
    public let nonceOrigin: NonceOrigin
    /// The calls that it can make.
    public let steps: Set<VerificationStep>
    /// Whether its provider sends notifications.
    public let isNotified: Bool
    /// Which of its calls may bill.
    public let billing: BillingPlan

    /// A description. The defaults are those of a verifier that reaches nobody.
    public init(
        id: VerifierID, kind: String, isSimulated: Bool, certification: Certification?, documentTypes: Set<String>,
        claims: [String: Set<ClaimName>]? = nil, walletKeys: WalletKeys? = nil, nonceOrigin: NonceOrigin = .gateway,
        steps: Set<VerificationStep> = [], isNotified: Bool = false, billing: BillingPlan = .none
    ) {
        self.id = id
        self.kind = kind
        self.isSimulated = isSimulated
        self.certification = certification
        self.documentTypes = documentTypes
        self.claims = claims
        self.walletKeys = walletKeys
        self.nonceOrigin = nonceOrigin
        self.steps = steps
        self.isNotified = isNotified
        self.billing = billing
    }

    /// Whether evidence leaves this machine: then a call is written down before it is made.
    public var reachesOut: Bool { steps.contains(.submit) }

    /// What it can ever verify.
    public var offer: VerifierOffer { VerifierOffer(documentTypes: documentTypes, claims: claims) }

    /// The claims that a purpose requires of a document and this verifier can never give: with it, nobody could be verified.
    public func missingClaims(of purpose: Purpose, _ documentType: String) -> Set<ClaimName> {
        offer.missingClaims(of: purpose, documentType)
    }

    /// Whether it verifies such documents, and gives all that the purpose requires of them.
    public func canServe(_ purpose: Purpose, _ documentType: String) -> Bool {
        offer.canServe(purpose, documentType)
    }

    /// Whether evidence made for `other` can be judged by this verifier as well: the same merchant and team, every key
    /// that a wallet may have encrypted to, and a nonce of the gateway's on both sides.
    public func canJudgeEvidence(of other: VerifierDescription) -> Bool {
        guard let ours = walletKeys, let theirs = other.walletKeys else { return false }
        return nonceOrigin == .gateway && other.nonceOrigin == .gateway && ours.identity == theirs.identity
            && !theirs.keyHashes.isEmpty && ours.keyHashes.isSuperset(of: theirs.keyHashes)
    }
}

/// A wallet identity and the keys behind it.
public struct WalletKeys: Sendable, Hashable {
    /// The identity.
    public let identity: WalletIdentity
    /// SHA-256 of each public key that wallets may encrypt to (the uncompressed point, 65 bytes), as the envelope's
    /// `pkRHash` has it; empty where nobody told us.
    public let keyHashes: Set<[UInt8]>

    /// Keys of an identity.
    public init(identity: WalletIdentity, keyHashes: Set<[UInt8]>) {
        self.identity = identity
        self.keyHashes = keyHashes
    }
}

/// Who makes the nonce of a session.
public enum NonceOrigin: String, Sendable, CaseIterable, Hashable {
    case gateway, provider
}
