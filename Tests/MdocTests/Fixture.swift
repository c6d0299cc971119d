import Cryptography
import Mdoc
import Testing
import Trust
public import VerificationCore
import WalletKit

/// An issuer, a merchant and a wallet of the test wallet's making, and a verifier that trusts them.
struct Fixture: Sendable {
    static let moment = Moment(2026, 11, 30, 3)
    static let now = Timestamp(seconds: moment.seconds)
    static let japan = Result { try Fixture(.jp) }
    static let licence = Result { try Fixture(.mdl) }

    let wallet: Wallet
    let key: P256PrivateKey
    let nonce: Nonce
    let required: Set<ClaimName>

    init(_ kind: Card.Kind, options: IssuerOptions = IssuerOptions()) throws {
        let randomness = Randomness.system
        wallet = Wallet(
            issuer: try Issuer(options, at: Self.moment), card: try .sample(kind, at: Self.moment),
            merchant: try Merchant())
        key = try P256PrivateKey(wallet.merchant.key.der)
        nonce = try #require(Nonce(randomness.bytes(32)))
        required =
            kind == .jp ? ["name", "birthdate", "address.formatted", "portrait"] : ["family_name", "given_name"]
    }

    var identity: WalletIdentity {
        WalletIdentity(
            merchantIdentifier: wallet.merchant.identifier, teamIdentifier: wallet.merchant.teamIdentifier)
    }

    var definition: DocumentDefinition {
        wallet.card.documentType == DocumentCatalog.myNumberCard.type
            ? DocumentCatalog.myNumberCard : DocumentCatalog.drivingLicence
    }

    func trust(_ root: [UInt8]? = nil) throws -> TrustStore {
        let anchor = TrustAnchor.self
        return try TrustStore(
            anchors: [anchor.init(certificate: Certificate(der: root ?? wallet.issuer.root), source: "root.pem")],
            at: Self.now)
    }

    func verifier(
        profile: CertificateProfile = .basic, revocation: RevocationSources? = nil, mode: VerificationMode = .live
    ) throws -> MdocVerifier {
        MdocVerifier(
            .init(
                mode: mode, recipientKeys: [RecipientKey(key)],
                signerVerifier: SignerVerifier(trust: try trust(), profile: profile, revocation: revocation),
                certificateProfile: profile, requiresRevocation: revocation?.policy == .fail))
    }

    func purpose(_ claims: Set<ClaimName>? = nil, requiring required: Set<ClaimName>? = nil) -> Purpose {
        let all = Set(definition.elements.map(\.claim))
        return Purpose(
            id: PurposeID("test"), documentTypes: [definition.type], claims: claims ?? all,
            requiredClaims: required ?? claims ?? self.required, retention: .zero, relyingPartyRetention: .none)
    }

    func request(for purpose: Purpose) -> WalletRequest {
        wallet.merchant.request(
            nonce: nonce.bytes, documentType: definition.type,
            elements: definition.appleElements(for: purpose.claims))
    }

    /// The result of an answer of the wallet, whose plan was changed.
    func verify(
        _ purpose: Purpose? = nil, at now: Timestamp = Self.now, with verifier: MdocVerifier? = nil,
        fault: Fault? = nil, variant: Variant? = nil, _ edit: (inout Plan) throws -> Void = { _ in }
    ) throws -> MdocResult {
        let purpose = purpose ?? self.purpose()
        var plan = try wallet.plan(request(for: purpose), fault: fault, variant: variant, at: Self.moment)
        try edit(&plan)
        return try (verifier ?? self.verifier()).verify(
            envelope: wallet.seal(plan), nonce: nonce, walletIdentity: identity,
            expectedDocumentType: definition.type, purpose: purpose, at: now)
    }
}

extension ClaimName: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Item {
    /// The bytes of hexadecimal text, spliced in as CBOR.
    static func hex(_ text: String) -> Item { .raw(ByteText.bytes(hex: text) ?? []) }
}
