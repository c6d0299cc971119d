/// Something that was read from outside the configuration when a verifier was opened: an anchor, a part of a manifest, a
/// secret. By them it can be told what a reload would swap although the configuration names the same files.
public struct LoadedPart: Sendable {
    /// What sort of thing it is; the names are an interface.
    public enum Kind: String, Sendable, CaseIterable, Hashable {
        /// A member of a provider's manifest.
        case manifest
        /// A trust anchor.
        case trustAnchor = "trust_anchor"
        /// A revocation list of a file.
        case revocationList = "revocation_list"
        /// A key that wallets seal to.
        case walletKey = "wallet_key"
        /// The certificate of such a key.
        case walletCertificate = "wallet_certificate"
        /// A secret by which we show a provider who we are, or by which it does.
        case credential
        /// A file of authorities that a provider's certificate is judged by.
        case certificateAuthority = "certificate_authority"
        /// The certificate that we show a provider.
        case clientCertificate = "client_certificate"
        /// Its key.
        case clientKey = "client_key"
        /// A secret that signs what an app is told.
        case webhookSecret = "webhook_secret"
        /// A member of the price book.
        case prices

        /// Whether it is known by its name, so that other content under the name is a change of it. Else it is known by
        /// its content, and its name only says where that came from.
        public var isNamed: Bool {
            switch self {
            case .manifest, .walletCertificate, .credential, .certificateAuthority, .clientCertificate, .clientKey,
                .prices:
                true
            case .trustAnchor, .revocationList, .walletKey, .webhookSecret: false
            }
        }
    }

    /// What was read.
    public enum Content: Sendable {
        /// A digest of what anybody may know.
        case digest([UInt8])
        /// A secret; nothing of it is kept but a digest under a key of the gateway's.
        case secret(Sensitive<[UInt8]>)
    }

    /// What sort of thing it is.
    public let kind: Kind
    /// A file, a member of a file, or the name of a secret; never anything of its content.
    public let name: String
    /// What was read.
    public let content: Content

    /// A part.
    public init(_ kind: Kind, _ name: String, _ content: Content) {
        self.kind = kind
        self.name = name
        self.content = content
    }
}
