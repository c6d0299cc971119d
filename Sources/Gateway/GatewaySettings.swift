public import Billing
public import Routing
public import VerificationCore

/// What the configuration means to the gateway: no secret, no path, no HTTP.
public struct GatewaySettings: Sendable {
    /// The version of the configuration that this came from; sessions are pinned to it.
    public var version: String
    /// Who may call.
    public var clients: [Client]
    /// Why one may ask.
    public var purposes: [PurposeID: Purpose]
    /// Which verifier gets what.
    public var table: RoutingTable
    /// How long a session waits for its submission.
    public var sessionLifetime: Duration
    /// How long a verification may take before the session fails.
    public var processingDeadline: Duration
    /// How long ended sessions are kept, without their claims, before they are removed.
    public var purgeAfter: Duration
    /// When each verifier's circuit opens; one that is not named has the defaults.
    public var circuits: [VerifierID: CircuitSettings] = [:]
    /// What each verifier costs.
    public var prices = PriceBook.none
    /// What the invoices of verifiers look like, where their manifests say so.
    public var invoiceFormats: [VerifierID: InvoiceFormat] = [:]
    /// How much may be used in a day or a month of the price book's zone.
    public var budgets: [Budget] = []
    /// Where the operators are told what they should know at once, if they want to be.
    public var operatorWebhook: Webhook?
    /// The configuration in its canonical form, which holds no secret; it is kept in the store by its version.
    public var document: [UInt8] = []
    /// What was read from outside the configuration, told apart by digests; it is kept in the store as what runs.
    public var inventory: Inventory?
    /// What is logged.
    public var logLevel = Log.Level.info

    /// Settings.
    public init(
        version: String, clients: [Client], purposes: [PurposeID: Purpose], table: RoutingTable,
        sessionLifetime: Duration, processingDeadline: Duration, purgeAfter: Duration
    ) {
        self.version = version
        self.clients = clients
        self.purposes = purposes
        self.table = table
        self.sessionLifetime = sessionLifetime
        self.processingDeadline = processingDeadline
        self.purgeAfter = purgeAfter
    }
}

/// A caller of the interface.
public struct Client: Sendable {
    /// What a caller may do.
    public enum Role: String, Sendable, CaseIterable {
        /// Opens sessions and reads its own.
        case app
        /// Watches and changes the running gateway; sees no claims.
        case `operator`
        /// Reads usage; sees no claims.
        case finance
        /// Reads the audit chain and the records of sessions, and holds them; sees no claims.
        case auditor
    }

    /// Its name.
    public let id: ClientID
    /// SHA-256 of each of its keys: two while a key is being rotated.
    public let keyHashes: Set<[UInt8]>
    /// Its role.
    public let role: Role
    /// The purposes it may ask for.
    public let purposes: Set<PurposeID>
    /// Where it is told that one of its sessions ended, if it wants to be.
    public var webhook: Webhook?
    /// Whether it is told by a webhook when one of its sessions ends.
    public var notifies: Bool { webhook != nil }

    /// A client.
    public init(id: ClientID, keyHashes: Set<[UInt8]>, role: Role, purposes: Set<PurposeID>) {
        self.id = id
        self.keyHashes = keyHashes
        self.role = role
        self.purposes = purposes
    }
}

/// A verifier as the composition root hands it over.
public struct OpenedVerifier: Sendable {
    /// What is known of it.
    public let description: VerifierDescription
    /// The verifier.
    public let verifier: any Verifier
    /// Its health, where it reports any.
    public let health: (any HealthReporting)?
    /// What it read from outside its configuration when it was opened.
    public let parts: [LoadedPart]

    /// An opened verifier.
    public init(
        description: VerifierDescription, verifier: any Verifier, health: (any HealthReporting)?,
        parts: [LoadedPart] = []
    ) {
        self.description = description
        self.verifier = verifier
        self.health = health
        self.parts = parts
    }
}
