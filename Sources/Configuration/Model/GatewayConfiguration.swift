public import Billing
public import Routing
public import VerificationCore

/// A configuration that was read and judged as a whole. There is no way to hold half of one.
public struct GatewayConfiguration: Sendable {
    /// Where the gateway runs.
    public var environment: DeploymentEnvironment
    /// How it listens.
    public var http: HTTPDeclaration
    /// Where it keeps its data.
    public var store: StoreDeclaration
    /// The keys that wrap each session's own key: the first one seals, all open.
    public var sealingKeys: [SealingKey]
    /// Who may call.
    public var clients: [ClientID: ClientDeclaration]
    /// Why one may ask.
    public var purposes: [PurposeID: PurposeDeclaration]
    /// The ways to verify.
    public var verifiers: [VerifierID: VerifierDeclaration]
    /// Which session goes to which verifier. One rule at least has no condition.
    public var routes: RoutingTable
    /// Where rules and purposes stand, for what can be judged only when the verifiers are open.
    public var lines: ConfigurationLines
    /// How long things last.
    public var sessions: SessionsDeclaration
    /// What is logged.
    public var logging: LoggingDeclaration
    /// Where the price book is, if there is one.
    public var pricesPath: String?
    /// What each verifier costs; where it was only read again, ``PricesFile`` reads the book.
    public var prices: PriceBook
    /// How much may be used in a day or a month.
    public var budgets: [Budget]
    /// Where the operators are told what they should know at once, if they want to be.
    public var operatorWebhook: WebhookDeclaration?
    /// The members of the price book's file, told apart by digests.
    public var pricesParts: [LoadedPart]
    /// The canonical form, free of secrets, by which the configuration is stored.
    public var canonicalForm: [UInt8]
    /// The name of the canonical form: the first 16 hexadecimal digits of its SHA-256.
    public var version: String

    /// The verifiers in the order of their names.
    public var orderedVerifiers: [VerifierDeclaration] {
        verifiers.values.sorted { $0.id.rawValue < $1.id.rawValue }
    }
}

/// The lines on which parts of a configuration begin.
public struct ConfigurationLines: Sendable, Hashable {
    /// Of each rule.
    public var routes: [Int] = []
    /// Of each purpose.
    public var purposes: [PurposeID: Int] = [:]
}

/// How the gateway listens. TLS is the business of the proxy in front.
public struct HTTPDeclaration: Sendable, Hashable {
    /// The IP address; loopback unless configured.
    public var address = "127.0.0.1"
    /// The port; 0 for any free one, outside production.
    public var port: UInt16 = 8480
    /// How many threads wait for the network.
    public var threads = 2
    /// How long a clean shutdown waits for what is running.
    public var shutdownGrace: Duration = .seconds(30)
    /// What one client may cost, and all together.
    public var limits = Limits()

    /// The defaults.
    public init() {}

    /// The limits of the HTTP server.
    public struct Limits: Sendable, Hashable {
        /// The largest body.
        public var bodyBytes = 1 << 20
        /// The largest head.
        public var headerBytes = 16 << 10
        /// The time for a whole head.
        public var headDeadline: Duration = .seconds(10)
        /// The time for a whole body.
        public var bodyDeadline: Duration = .seconds(30)
        /// The time in which an answer must be taken.
        public var answerDeadline: Duration = .seconds(60)
        /// How long a connection may stay open between requests.
        public var idleTimeout: Duration = .seconds(75)
        /// The most connections at once.
        public var connections = 4096
        /// The most connections from one address that is not loopback.
        public var connectionsPerAddress = 256
        /// The most bytes of request bodies held at once.
        public var bufferedBytes = 64 << 20
        /// The largest body that carries a provider's invoice.
        public var invoiceBytes = 32 << 20

        /// The defaults.
        public init() {}
    }
}

/// Where sessions and the ledger live.
public enum StoreDeclaration: Sendable, Hashable {
    /// A SQLite database at a path.
    case sqlite(path: String)
    /// In memory, gone when the process ends; never in production.
    case memory
}

/// A key that wraps the sessions' own keys.
public struct SealingKey: Sendable {
    /// Its name: every sealed record carries it.
    public let id: String
    /// 32 bytes.
    public let key: Sensitive<[UInt8]>
}

/// How long sessions last.
public struct SessionsDeclaration: Sendable, Hashable {
    /// How long a session waits for its submission.
    public var lifetime: Duration = .seconds(900)
    /// How long a verification may take before its session fails.
    public var processingDeadline: Duration = .seconds(60)
    /// How long an ended session is kept, without its claims, before it is removed.
    public var purgeAfter: Duration = DurationText.days(90)

    /// The defaults.
    public init() {}
}

/// What is logged.
public struct LoggingDeclaration: Sendable, Hashable {
    /// How much.
    public var level: Level = .info

    /// The defaults.
    public init() {}

    /// How much is logged.
    public enum Level: String, Sendable, CaseIterable, Hashable {
        case debug, info, warning, error
    }
}
