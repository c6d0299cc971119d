import CBOR
import Cryptography
import Mdoc
import Trust
import VerificationCore
import WalletKit

/// One genuine answer of the wallet and the verifier that judges it.
struct Subject {
    struct Failure: Error {}

    static let now = Moment(2026, 11, 30, 7)

    let envelope: [UInt8]
    let work: OpenSSLFloor.Work
    private let request: WalletRequest
    private let purpose: Purpose
    private let cached: MdocVerifier
    private let root: [UInt8]
    private let key: P256PrivateKey
    private let anchors: TrustStore

    init() throws {
        let wallet = Wallet(
            issuer: try Issuer(IssuerOptions(), at: Self.now), card: try Card.sample(.jp, at: Self.now),
            merchant: try Merchant())
        let claims = Set(
            ["name", "address.formatted", "local_gov_code", "birthdate", "portrait"].map { ClaimName($0) })
        purpose = Purpose(
            id: PurposeID("bench"), documentTypes: [Card.Japan.documentType], claims: claims,
            requiredClaims: claims, retention: .zero, relyingPartyRetention: .none)
        request = wallet.merchant.request(
            nonce: Randomness.system.bytes(32), documentType: Card.Japan.documentType,
            elements: DocumentCatalog.myNumberCard.appleElements(for: claims))
        envelope = try wallet.present(request, at: Self.now)
        root = wallet.issuer.root
        key = try P256PrivateKey(Array(wallet.merchant.key.pem.utf8))
        let anchor = try TrustAnchor(certificate: Certificate(der: root), source: "iaca.pem", profile: .basic)
        anchors = try TrustStore(anchors: [anchor], at: Timestamp(seconds: Self.now.seconds))
        cached = Self.verifier(anchors, key)
        work = try Self.work(of: wallet.deviceResponse(request, at: Self.now), envelope: envelope)
    }

    /// A whole verification; `fresh` begins with an empty cache of signers.
    func verify(fresh: Bool) throws {
        let verifier = fresh ? Self.verifier(anchors, key) : cached
        guard let nonce = Nonce(request.nonce) else { throw Failure() }
        let result = verifier.verify(
            envelope: envelope, nonce: nonce,
            walletIdentity: WalletIdentity(
                merchantIdentifier: request.merchantIdentifier, teamIdentifier: request.teamIdentifier),
            expectedDocumentType: Card.Japan.documentType, purpose: purpose,
            at: Timestamp(seconds: Self.now.seconds))
        guard case .verified? = result.verdict else { throw Failure() }
    }

    private static func verifier(_ anchors: TrustStore, _ key: P256PrivateKey) -> MdocVerifier {
        let signers = SignerVerifier(trust: anchors, profile: .basic, revocation: nil)
        return MdocVerifier(
            MdocVerifier.Configuration(recipientKeys: [RecipientKey(key)], signerVerifier: signers))
    }

    /// What a verification of this answer must hash and decrypt, read off the answer itself.
    private static func work(
        of answer: (response: [UInt8], transcript: [UInt8]), envelope: [UInt8]
    ) throws -> OpenSSLFloor.Work {
        let document = try CBORDocument(answer.response).root.require("documents").items.first
        guard let signed = try document?.require("issuerSigned") else { throw Failure() }
        var hashed = [answer.transcript.count]
        for (_, items) in try signed.require("nameSpaces").pairs {
            for item in items.items { hashed.append(item.encoded.count) }
        }
        let authentication = Array(try signed.require("issuerAuth").items)
        let object = try authentication[2].bytes().count
        // The Sig_structures: what is signed with a context, a protected header and their heads around it.
        let (signatureFrame, deviceFrame) = (24, 80)
        hashed += [object, object + signatureFrame, answer.transcript.count + deviceFrame]
        let data = try CBORDocument(envelope).root.require("data").bytes().count
        return OpenSSLFloor.Work(hashed: hashed, ciphertext: data - 16)
    }
}
