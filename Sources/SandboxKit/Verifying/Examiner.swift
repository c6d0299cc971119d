import Cryptography
import Mdoc
import Trust
public import VerificationCore

/// A merchant of a provider's: the identity that wallets are asked with, and the key that opens their answers.
public struct SandboxMerchant: Sendable {
    /// The identity.
    public let identity: WalletIdentity
    /// The key, PEM or DER.
    public let key: Sensitive<[UInt8]>

    /// A merchant.
    public init(identity: WalletIdentity, key: Sensitive<[UInt8]>) {
        self.identity = identity
        self.key = key
    }
}

/// What a provider found out about a blob.
enum Findings: Sendable {
    /// A genuine document.
    case verified(ClaimSet, DocumentFacts)
    /// Not one; why.
    case rejected([Reason])
}

/// The part of a provider that is real: it opens the blob and makes every check that our own verifier makes.
struct Examiner: Sendable {
    let identity: WalletIdentity
    private let verifier: MdocVerifier
    private let purpose: Purpose

    init(_ merchant: SandboxMerchant, trust: TrustStore) throws(SandboxError) {
        identity = merchant.identity
        let key: P256PrivateKey
        do {
            key = try merchant.key.withValue { bytes throws(PrivateKeyError) in try P256PrivateKey(bytes) }
        } catch {
            throw .file("the key of \(merchant.identity.merchantIdentifier) cannot be used: \(error)")
        }
        verifier = MdocVerifier(
            MdocVerifier.Configuration(
                recipientKeys: [RecipientKey(key)],
                signerVerifier: SignerVerifier(trust: trust, profile: .basic)))
        // A provider does not know what its customers need: it hands over what the document says.
        let ages = [18, 20, 65].map { ClaimName("age_over_\($0)") }
        purpose = Purpose(
            id: PurposeID("sandbox"), documentTypes: [DocumentCatalog.myNumberCard.type],
            claims: Set(DocumentCatalog.myNumberCard.elements.map(\.claim) + ages), requiredClaims: [],
            retention: .zero, relyingPartyRetention: .none)
    }

    /// Judges a blob for a nonce.
    func examine(_ envelope: [UInt8], nonce: Nonce, at now: Timestamp) -> Findings {
        let result = verifier.verify(
            envelope: envelope, nonce: nonce, walletIdentity: identity,
            expectedDocumentType: DocumentCatalog.myNumberCard.type, purpose: purpose, at: now)
        switch result.verdict {
        case .verified(let verified, _):
            return .verified(verified.claims.withValue { $0 }, verified.document.withValue { $0 })
        case .rejected(let report, _): return .rejected(report.reasons)
        case nil: return .rejected([])
        }
    }
}
