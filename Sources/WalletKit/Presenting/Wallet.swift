/// The phone's wallet: holds a card of an issuer and answers requests with sealed envelopes.
public struct Wallet: Sendable {
    /// Who issued the card. The wallet keeps the issuer at hand, so that a fault can be the issuer's.
    public let issuer: Issuer
    /// The card.
    public let card: Card
    /// Whom the answers are sealed to.
    public let merchant: Merchant
    /// Where random bytes come from.
    public let randomness: Randomness

    /// A wallet.
    public init(issuer: Issuer, card: Card, merchant: Merchant, randomness: Randomness = .system) {
        self.issuer = issuer
        self.card = card
        self.merchant = merchant
        self.randomness = randomness
    }

    /// The sealed envelope that answers a request: right, or with one fault, or in one odd but right form.
    public func present(
        _ request: WalletRequest, fault: Fault? = nil, variant: Variant? = nil, at now: Moment
    ) throws(WalletError) -> [UInt8] {
        let plan = try plan(request, fault: fault, variant: variant, at: now)
        return try Presentation(plan: plan, randomness: randomness).envelope()
    }

    /// The DeviceResponse alone with its transcript: what `present` seals.
    public func deviceResponse(
        _ request: WalletRequest, fault: Fault? = nil, variant: Variant? = nil, at now: Moment
    ) throws(WalletError) -> (response: [UInt8], transcript: [UInt8]) {
        let plan = try plan(request, fault: fault, variant: variant, at: now)
        let response = try Presentation(plan: plan, randomness: randomness).response()
        return (response.encoded(plan.style), plan.info)
    }

    /// The envelope of a plan that the caller has changed.
    public func seal(_ plan: Plan) throws(WalletError) -> [UInt8] {
        try Presentation(plan: plan, randomness: randomness).envelope()
    }

    /// The plan of a right answer, changed by the variant and the fault.
    public func plan(
        _ request: WalletRequest, fault: Fault? = nil, variant: Variant? = nil, at now: Moment
    ) throws(WalletError) -> Plan {
        guard request.cardKind?.documentType == card.documentType else {
            throw .documentUnavailable(request.documentType)
        }
        let keyHash = try merchant.keyHash
        let transcript = request.transcript(recipientKeyHash: keyHash)
        let signer = issuer.signer
        var plan = Plan(
            card: card, disclosed: RequestedElements.select(request.elements, from: card),
            signed: now.adding(seconds: -3600), validFrom: now.adding(seconds: -3600),
            validUntil: now.adding(days: 30), issuedType: card.documentType, signer: signer,
            issuerProtected: Plan.protected(signer.key.kind), chain: Plan.chain(signer.chain),
            presentedType: card.documentType, deviceKey: card.deviceKey, deviceTranscript: transcript,
            deviceProtected: Plan.protected(card.deviceKey.kind), recipient: merchant.key.publicBytes,
            info: transcript, recipientKeyHash: keyHash, infoHash: try LibCrypto.digest(transcript))
        let scene = Scene(wallet: self, request: request, now: now)
        try variant?.apply(&plan, scene)
        try fault?.apply(&plan, scene)
        return plan
    }
}

/// What a fault or a variant may look at while it changes a plan.
public struct Scene: Sendable {
    let wallet: Wallet
    let request: WalletRequest
    let now: Moment

    var issuer: Issuer { wallet.issuer }

    /// The transcript of a changed request.
    func transcript(_ edit: (inout WalletRequest) -> Void) throws(WalletError) -> [UInt8] {
        var changed = request
        edit(&changed)
        return changed.transcript(recipientKeyHash: try wallet.merchant.keyHash)
    }
}
