public import VerificationCore

/// A caller of the interface.
public struct ClientDeclaration: Sendable, Hashable {
    /// Its name.
    public let id: ClientID
    /// SHA-256 of each of its keys: several while a key is being rotated.
    public let keyHashes: [[UInt8]]
    /// What it may do.
    public let role: Role
    /// The purposes that an app may ask for; empty for the other roles.
    public let purposes: Set<PurposeID>
    /// How it is told that a session has ended, if it wants to be.
    public let webhook: WebhookDeclaration?

    /// What a caller may do.
    public enum Role: String, Sendable, CaseIterable, Hashable {
        /// Opens sessions and reads its own.
        case app
        /// Watches and changes the running gateway; sees no claims.
        case `operator`
        /// Reads usage; sees no claims.
        case finance
        /// Reads the audit chain and the records of sessions, and holds them; sees no claims.
        case auditor
    }
}

/// Where a client is told that its sessions end, or the operators what they should know.
public struct WebhookDeclaration: Sendable, Hashable {
    /// The address.
    public let url: WebAddress
    /// The places of the secrets that sign the messages: every message carries a signature by each, so that the client
    /// can change from one to the next.
    public let secrets: [SecretReference]
}
