/// An answer before it is made: everything a fault or a variant may change, right until it does.
public struct Plan {
    /// A digest algorithm of a MobileSecurityObject (ISO/IEC 18013-5 §9.1.2.5).
    public enum DocumentDigest: String, Sendable, CaseIterable {
        case sha256 = "SHA-256"
        case sha384 = "SHA-384"
        case sha512 = "SHA-512"

        var function: LibCrypto.Digest {
            switch self {
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        }
    }

    // What is issued.

    /// The card.
    public var card: Card
    /// What of it is disclosed.
    public var disclosed: [Card.Element]
    /// How the issuer spells CBOR.
    public var style = EncodingStyle.plain
    /// The digest function.
    public var digest = DocumentDigest.sha256
    /// What `digestAlgorithm` says; `nil` for the function's own name.
    public var digestName: String?
    /// Digests of items that nobody ever discloses, in each namespace.
    public var decoys = 5
    /// Bytes of an item's `random`.
    public var randomLength = 32
    /// The first digest identifier in each namespace.
    public var firstDigestID: UInt64 = 0
    /// ValidityInfo's `signed`.
    public var signed: Moment
    /// ValidityInfo's `validFrom`.
    public var validFrom: Moment
    /// ValidityInfo's `validUntil`.
    public var validUntil: Moment
    /// The document type in the MobileSecurityObject.
    public var issuedType: String
    /// Changes an IssuerSignedItem before it is digested: a genuine oddity.
    public var editItem: (inout Item) -> Void = { _ in }
    /// Changes the MobileSecurityObject before it is signed: the issuer's own mistake.
    public var editObject: (inout Item) -> Void = { _ in }

    // The issuer's signature.

    /// Who signs.
    public var signer: Signer
    /// The protected header.
    public var issuerProtected: Item
    /// Changes the unprotected header.
    public var editUnprotected: (inout Item) -> Void = { _ in }
    /// `x5chain`; `nil` leaves it out.
    public var chain: Item?
    /// external_aad in the issuer's Sig_structure: zero bytes (RFC 9052 §4.4).
    public var externalAAD: Item = .bytes([])
    /// Changes the issuer's signature after it was made.
    public var editIssuerSignature: (inout [UInt8]) -> Void = { _ in }
    /// Changes the payload after it was signed.
    public var editIssuerPayload: (inout [UInt8]) -> Void = { _ in }

    // What the device does.

    /// Changes one disclosed IssuerSignedItem after it was digested: a forger's work.
    public var forgeItem: (inout Item) -> Void = { _ in }
    /// Changes the disclosed items after they were digested: a forger's work. Namespaces with their items.
    public var editDisclosed: (inout [(String, [Item])]) -> Void = { _ in }
    /// The document type in the Document and in DeviceAuthentication.
    public var presentedType: String
    /// The key that signs for the device.
    public var deviceKey: PrivateKey
    /// The transcript that the device signs.
    public var deviceTranscript: [UInt8]
    /// The device's protected header.
    public var deviceProtected: Item
    /// DeviceNameSpaces.
    public var deviceNameSpaces: [UInt8] = [0xA0]
    /// The payload in the device's signature, made from the right one; none by rule.
    public var editDevicePayload: ([UInt8]) -> Item = { _ in .null }
    /// Changes the device's signature after it was made.
    public var editDeviceSignature: (inout [UInt8]) -> Void = { _ in }
    /// Changes `deviceAuth`.
    public var editDeviceAuth: (inout Item) -> Void = { _ in }
    /// Changes the Document.
    public var editDocument: (inout Item) -> Void = { _ in }
    /// Changes the DeviceResponse.
    public var editResponse: (inout Item) -> Void = { _ in }
    /// Changes the plaintext's map of topics.
    public var editTopics: (inout Item) -> Void = { _ in }
    /// Changes the plaintext's bytes.
    public var editPlaintext: (inout [UInt8]) -> Void = { _ in }

    // The envelope.

    /// The point that the answer is sealed to.
    public var recipient: [UInt8]
    /// HPKE's info.
    public var info: [UInt8]
    /// HPKE's additional data.
    public var aad: [UInt8] = []
    /// `pkRHash`.
    public var recipientKeyHash: [UInt8]
    /// `infoHash`.
    public var infoHash: [UInt8]
    /// Changes the envelope's map.
    public var editEnvelope: (inout Item) -> Void = { _ in }
    /// Changes the envelope's bytes.
    public var editBytes: (inout [UInt8]) -> Void = { _ in }

    /// Binds the answer to another transcript altogether: what a session mixed up with another looks like.
    mutating func bind(to transcript: [UInt8]) throws(WalletError) {
        info = transcript
        infoHash = try LibCrypto.digest(transcript)
        deviceTranscript = transcript
    }

    /// Lets another signer sign, with its own chain and algorithm.
    mutating func sign(with signer: Signer) {
        self.signer = signer
        chain = Plan.chain(signer.chain)
        issuerProtected = Plan.protected(signer.key.kind)
    }

    /// `x5chain` as RFC 9360 has it: a byte string for one certificate, an array for more.
    static func chain(_ certificates: [[UInt8]]) -> Item {
        certificates.count == 1 ? .bytes(certificates[0]) : .array(certificates.map { .bytes($0) })
    }

    static func protected(_ kind: KeyKind) -> Item {
        .map([Item.Pair(.integer(1), .integer(kind.coseAlgorithm))])
    }
}
