import VerificationCore

/// The purpose of somebody at the shell: to see all that a document says, but for what the law forbids.
enum VerifyPurpose {
    static func everything(of documentType: String?) -> Purpose {
        let types = documentType.map { [$0] } ?? DocumentCatalog.documents.map(\.type)
        var claims = Set(types.compactMap(DocumentCatalog.definition).flatMap { $0.elements.map(\.claim) })
        claims.formUnion(AppleElement.thresholds.map { ClaimName("age_over_" + ($0 < 10 ? "0" : "") + String($0)) })
        return Purpose(
            id: PurposeID("command-line"), documentTypes: types, claims: claims, requiredClaims: [], retention: .zero,
            relyingPartyRetention: .none)
    }
}
