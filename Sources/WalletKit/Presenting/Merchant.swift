/// The recipient of sealed answers: a merchant with its identity and its key.
public struct Merchant: Sendable {
    /// The merchant identifier.
    public var identifier: String
    /// The app's team.
    public var teamIdentifier: String
    /// The P-256 key; the phone needs its public half only.
    public var key: PrivateKey

    /// A merchant.
    public init(identifier: String, teamIdentifier: String, key: PrivateKey) {
        self.identifier = identifier
        self.teamIdentifier = teamIdentifier
        self.key = key
    }

    /// A merchant with a new key.
    public init(
        identifier: String = "merchant.example.sekisho", teamIdentifier: String = "SEKISHO123",
        randomness: Randomness = .system
    ) throws(WalletError) {
        self.init(
            identifier: identifier, teamIdentifier: teamIdentifier, key: try PrivateKey(.p256, randomness: randomness))
    }

    /// SHA-256 of the uncompressed point: `pkRHash`.
    public var keyHash: [UInt8] {
        get throws(WalletError) { try LibCrypto.digest(key.publicBytes) }
    }

    /// A request of this merchant.
    public func request(
        nonce: [UInt8], documentType: String = "jp-national-id-card",
        elements: [String] = ["givenName", "familyName", "address", "dateOfBirth", "portrait"]
    ) -> WalletRequest {
        WalletRequest(
            merchantIdentifier: identifier, teamIdentifier: teamIdentifier, nonce: nonce, documentType: documentType,
            elements: elements)
    }
}
