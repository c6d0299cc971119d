/// What the app asks of the wallet: the gateway's `wallet_request`, and the team that the phone knows by itself.
public struct WalletRequest: Sendable, Hashable {
    /// The merchant identifier, which selects the key that the answer is sealed to.
    public var merchantIdentifier: String
    /// The app's team.
    public var teamIdentifier: String
    /// The gateway's nonce; the wallet takes it as it is, up to 64 bytes.
    public var nonce: [UInt8]
    /// The wallet's document type, such as `jp-national-id-card`.
    public var documentType: String
    /// `PKIdentityElement` names, such as `givenName`.
    public var elements: [String]

    /// A request.
    public init(
        merchantIdentifier: String, teamIdentifier: String, nonce: [UInt8], documentType: String, elements: [String]
    ) {
        self.merchantIdentifier = merchantIdentifier
        self.teamIdentifier = teamIdentifier
        self.nonce = nonce
        self.documentType = documentType
        self.elements = elements
    }

    /// The kind of card that is asked for; `nil` for a document that this wallet does not know.
    public var cardKind: Card.Kind? {
        switch documentType {
        case "jp-national-id-card", Card.Japan.documentType: .jp
        case "us-drivers-license", "drivers-license", Card.Licence.documentType: .mdl
        default: nil
        }
    }

    /// The transcript that binds the answer to this request and this recipient.
    ///
    /// `[null, null, ["AppleIdentityPresentment_1.0", nonce, merchant, team, pkRHash]]`; nothing wrapped or hashed.
    public func transcript(recipientKeyHash: [UInt8]) -> [UInt8] {
        let handover: [Item] = [
            .text("AppleIdentityPresentment_1.0"), .bytes(nonce), .text(merchantIdentifier), .text(teamIdentifier),
            .bytes(recipientKeyHash),
        ]
        return Item.array([.null, .null, .array(handover)]).encoded()
    }
}
