import JSONTree
import VerificationCore

/// What the app needs to ask the wallet, from the purpose and the document catalogue: one source for all.
struct WalletRequestBuilder: Sendable {
    /// The `wallet_request` of a session.
    func request(for record: SessionRecord, purpose: Purpose) -> JSONValue {
        let definition = DocumentCatalog.definition(of: record.documentType)
        let elements = definition?.appleElements(for: purpose.claims) ?? []
        return .object([
            ("protocol", .string("apple_wallet")),
            ("merchant_identifier", .string(record.walletIdentity.merchantIdentifier)),
            ("team_identifier", .string(record.walletIdentity.teamIdentifier)),
            ("nonce", .string(record.nonce.base64URL)),
            ("document_type", .string(orNull: definition?.appleDocumentType)),
            ("region", .string(orNull: definition?.appleRegion)),
            ("elements", .array(elements.map { .string($0) })),
            ("intent_to_store", intent(purpose.relyingPartyRetention)),
        ])
    }

    /// What `PKIdentityIntentToStore` must say: the relying party's own declaration.
    private func intent(_ retention: RelyingPartyRetention) -> JSONValue {
        switch retention {
        case .none: .object([("type", .string("will_not_store"))])
        case .days(let days): .object([("type", .string("may_store")), ("days", .integer(Int64(days)))])
        case .unbounded: .object([("type", .string("may_store"))])
        }
    }
}
