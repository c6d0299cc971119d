import Cryptography
import Mdoc
import Trust
import VerificationCore
import WalletKit

/// A wallet on one side, a verifier on the other, and nothing between them but bytes.
struct Scenery {
    static let now = Moment(2026, 11, 30, 7)
    static let timestamp = Timestamp(seconds: now.seconds)

    let wallet: Wallet
    let kind: Card.Kind
    var profile = CertificateProfile.iso18013_5
    /// The list of revoked signers, where the verifier has one.
    var revocation: [UInt8]?
    var required: Set<ClaimName>?
    /// Whether the purpose asks for nothing but what it requires.
    var onlyRequired = false
    var elements: [String]?

    init(_ kind: Card.Kind = .jp, options: IssuerOptions = IssuerOptions()) throws {
        self.kind = kind
        wallet = Wallet(
            issuer: try Issuer(options, at: Scenery.now), card: try Card.sample(kind, at: Scenery.now),
            merchant: try Merchant())
    }

    /// The claims that the purpose asks for.
    var claims: Set<ClaimName> {
        switch kind {
        case .jp:
            ["name", "address.formatted", "local_gov_code", "birthdate", "portrait"].reduce(into: []) {
                $0.insert(ClaimName($1))
            }
        case .mdl: ["given_name", "family_name", "birthdate", "portrait"].reduce(into: []) { $0.insert(ClaimName($1)) }
        }
    }

    var purpose: Purpose {
        // One type only: the others that a fault may show are not allowed.
        Purpose(
            id: PurposeID("test"), documentTypes: [kind.documentType],
            claims: onlyRequired ? required ?? [] : claims.union(required ?? []),
            requiredClaims: required ?? claims, retention: .zero, relyingPartyRetention: .none)
    }

    func request() -> WalletRequest {
        wallet.merchant.request(
            nonce: Randomness.system.bytes(32), documentType: kind.documentType,
            elements: elements ?? DocumentCatalog.definition(of: kind.documentType)?.appleElements(for: purpose.claims)
                ?? [])
    }

    /// Presents and verifies.
    func run(fault: Fault? = nil, variant: Variant? = nil) throws -> MdocResult {
        let request = request()
        return try verify(wallet.present(request, fault: fault, variant: variant, at: Scenery.now), request)
    }

    func verify(_ envelope: [UInt8], _ request: WalletRequest, root: [UInt8]? = nil) throws -> MdocResult {
        let anchor = try TrustAnchor(
            certificate: Certificate(der: root ?? wallet.issuer.root), source: "iaca.pem", profile: profile)
        let sources = try revocation.map {
            RevocationSources(lists: [try RevocationList(der: $0, source: "iaca.crl")], policy: .fail)
        }
        let signers = SignerVerifier(
            trust: try TrustStore(anchors: [anchor], at: Scenery.timestamp), profile: profile, revocation: sources)
        let key = try P256PrivateKey(Array(wallet.merchant.key.pem.utf8))
        let verifier = MdocVerifier(
            MdocVerifier.Configuration(
                recipientKeys: [RecipientKey(key)], signerVerifier: signers, certificateProfile: profile,
                requiresRevocation: revocation != nil))
        guard let nonce = Nonce(request.nonce) else { throw WalletError.unreadable("nonce") }
        return verifier.verify(
            envelope: envelope, nonce: nonce,
            walletIdentity: WalletIdentity(
                merchantIdentifier: request.merchantIdentifier, teamIdentifier: request.teamIdentifier),
            expectedDocumentType: kind.documentType, purpose: purpose, at: Scenery.timestamp)
    }
}

extension MdocResult {
    var isVerified: Bool {
        if case .verified = verdict { true } else { false }
    }

    var isRejected: Bool {
        if case .rejected = verdict { true } else { false }
    }

    func claim(_ name: String) -> ClaimValue? { claims.withValue { $0[ClaimName(name)] } }

    var claimCount: Int { claims.withValue { $0.count } }

    /// The failed checks with their reasons, as text.
    var failures: [String] {
        report.failures.map { "\($0.rawValue): \(report[$0].reason?.rawValue ?? "")" }
    }
}
