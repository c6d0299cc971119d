public import Billing
public import Routing
public import VerificationCore

/// What a configuration said that ran once. It holds no secret and cannot be run: for that, it would have to be judged
/// anew.
public struct RecalledConfiguration: Sendable {
    /// Where the gateway ran.
    public let environment: DeploymentEnvironment
    /// How it listened.
    public let http: HTTPDeclaration
    /// Where it kept its data.
    public let store: StoreDeclaration
    /// The names of the sealing keys, in order.
    public let sealingKeyNames: [String]
    /// Who could call.
    public let clients: [ClientID: ClientDeclaration]
    /// Why one could ask.
    public let purposes: [PurposeID: PurposeDeclaration]
    /// The ways to verify.
    public let verifiers: [VerifierID: VerifierDeclaration]
    /// Which session went to which verifier.
    public let routes: RoutingTable
    /// How much could be used in a day or a month.
    public let budgets: [Budget]
    /// Where its price book was.
    public let pricesPath: String?
    /// The name of its canonical form.
    public let version: String

    init(_ parts: ConfigurationParts, version: String) {
        environment = parts.environment
        http = parts.http
        store = parts.store
        sealingKeyNames = parts.sealingKeys.map(\.id)
        clients = parts.clients
        purposes = parts.purposes
        verifiers = parts.verifiers
        routes = parts.routes
        budgets = parts.budgets
        pricesPath = parts.prices.path
        self.version = version
    }

    /// What a configuration that is good says.
    public init(_ configuration: GatewayConfiguration) {
        environment = configuration.environment
        http = configuration.http
        store = configuration.store
        sealingKeyNames = configuration.sealingKeys.map(\.id)
        clients = configuration.clients
        purposes = configuration.purposes
        verifiers = configuration.verifiers
        routes = configuration.routes
        budgets = configuration.budgets
        pricesPath = configuration.pricesPath
        version = configuration.version
    }
}
