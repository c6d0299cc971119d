import Mdoc
import VerificationCore

/// A verifier that trusts nobody and has no key, for inputs that must never come further.
enum FuzzVerifier {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let verifier = MdocVerifier(
        MdocVerifier.Configuration(recipientKeys: [], signerVerifier: nil))
    static let purpose = Purpose(
        id: PurposeID("fuzz"), documentTypes: DocumentCatalog.documents.map(\.type),
        claims: Set(DocumentCatalog.documents.flatMap { $0.elements.map(\.claim) }), requiredClaims: [],
        retention: .zero, relyingPartyRetention: .none)
}
