/// Something that somebody did, or that happened, before it has its place in the audit chain. It says nothing about the
/// person: who looked a session up stands there, never what was seen.
public struct AuditDraft: Sendable, Hashable {
    /// What was done, or what happened.
    public var action: Action
    /// Who did it: a client's name, or ``gateway``.
    public var actor: String
    /// When.
    public var at: Timestamp
    /// The session it is about.
    public var session: SessionID?
    /// The client that the session belongs to.
    public var client: ClientID?
    /// What else it is about: a verifier, a message, a month, or the names of what was looked for.
    public var subject: String?
    /// How it came out, or which of several it was: a code, never a text about a person.
    public var outcome: String?
    /// Why, as a code; an operator's own words only about the gateway, never about a session.
    public var reason: String?
    /// The configuration that ran.
    public var configurationVersion: String
    /// How many, where it is about several.
    public var count: Int64?

    /// Something that happened.
    public init(_ action: Action, by actor: String, at: Timestamp, configurationVersion: String) {
        self.action = action
        self.actor = actor
        self.at = at
        self.configurationVersion = configurationVersion
    }

    /// The actor where nobody asked: time, a rule or a provider's answer did it.
    public static let gateway = "gateway"
    /// The actor where the system itself was told, by a signal for example.
    public static let system = "system"
}

extension AuditDraft {
    /// What can stand in the audit chain. Codes are added, never renamed.
    public enum Action: String, Sendable, CaseIterable, Hashable {
        /// A gateway began to serve a configuration.
        case gatewayStarted = "gateway_started"
        /// Another configuration came into service, or was refused.
        case configurationReloaded = "configuration_reloaded"
        /// An operator set a verifier's circuit.
        case circuitSet = "circuit_set"
        /// A message that was given up is tried again.
        case messageRetried = "message_retried"
        /// Sessions were listed or searched.
        case sessionsSearched = "sessions_searched"
        /// The course of one session was read.
        case checksRead = "checks_read"
        /// The record of one session was read.
        case recordRead = "record_read"
        /// A deletion certificate was read.
        case deletionRead = "deletion_read"
        /// Usage was read.
        case usageRead = "usage_read"
        /// Rows of usage were downloaded.
        case usageDownloaded = "usage_downloaded"
        /// A month was closed.
        case monthClosed = "month_closed"
        /// An invoice was compared with the ledger.
        case invoiceReconciled = "invoice_reconciled"
        /// The differences of an invoice were accepted as adjustments.
        case adjustmentsAccepted = "adjustments_accepted"
        /// A limit of a budget was reached, each once in its period.
        case budgetReached = "budget_reached"
        /// Somebody signed in to the console, or tried to.
        case signedIn = "signed_in"
        /// Somebody signed out of the console.
        case signedOut = "signed_out"
        /// The audit chain was read.
        case auditRead = "audit_read"
        /// What leads back to a person was erased from a session.
        case sessionErased = "session_erased"
        /// A session's provider was told to erase: it did, or it was given up.
        case providerErased = "provider_erased"
        /// Sessions were removed.
        case sessionsPurged = "sessions_purged"
        /// A contract that a session was for began.
        case contractStarted = "contract_started"
        /// It ended.
        case contractEnded = "contract_ended"
        /// A session was put under a legal hold.
        case holdPlaced = "hold_placed"
        /// A legal hold was lifted.
        case holdReleased = "hold_released"
        /// Something that must be looked into.
        case incident
    }

    /// Why a session was erased: the outcome of a ``Action/sessionErased``.
    public enum ErasureRule: String, Sendable, CaseIterable, Hashable {
        /// Its app asked for it.
        case requested
        /// Its time was over.
        case retention
        /// It was removed before its time to be erased had come.
        case purge
    }
}
