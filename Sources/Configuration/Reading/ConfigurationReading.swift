import Billing
import JSONTree
import Routing
import VerificationCore

/// The parts of a configuration, before they have a version.
struct ConfigurationParts {
    var environment: DeploymentEnvironment
    var http: HTTPDeclaration
    var store: StoreDeclaration
    var sealingKeys: [SealingKey]
    var clients: [ClientID: ClientDeclaration]
    var purposes: [PurposeID: PurposeDeclaration]
    var verifiers: [VerifierID: VerifierDeclaration]
    var routes: RoutingTable
    var lines: ConfigurationLines
    var sessions: SessionsDeclaration
    var logging: LoggingDeclaration
    var prices: PricesFile.Contents
    var budgets: [Budget]
    var operatorWebhook: WebhookDeclaration?

    func configuration(canonicalForm: [UInt8], version: String) -> GatewayConfiguration {
        GatewayConfiguration(
            environment: environment, http: http, store: store, sealingKeys: sealingKeys, clients: clients,
            purposes: purposes, verifiers: verifiers, routes: routes, lines: lines, sessions: sessions,
            logging: logging, pricesPath: prices.path, prices: prices.book, budgets: budgets,
            operatorWebhook: operatorWebhook, pricesParts: prices.parts, canonicalForm: canonicalForm,
            version: version)
    }
}

/// Turns a tree into the parts of a configuration; every method notes what is wrong and goes on.
struct ConfigurationReading {
    let root: JSONReader
    let kinds: [String: KindChecker]
    let resolver: SecretResolver
    let now: Timestamp
    /// Whether what was good when it was read is only read again: then no secret is fetched, and nothing is judged that
    /// depends on the time or on files.
    var isRecalled = false

    /// The parts; they are good for use only where no problem was noted.
    func parts() -> ConfigurationParts? {
        guard root.isObject() else { return nil }
        refuseUsersInAddresses(root.node, path: "")
        // An editor may look the schema up by this key; it means nothing to us.
        _ = root.optionalString("$schema")
        let environment = root.enumeration("environment", as: DeploymentEnvironment.self)
        // Rules of production are judged only where it is said to be one.
        let assumed = environment ?? .development
        let sessions = sessions()
        let purposes = purposes(purgeAfter: sessions.purgeAfter)
        let clients = clients(purposes: purposes, in: assumed)
        let verifiers = verifiers(in: assumed)
        let routes = routes(
            RouteTargets(purposes: purposes, clients: clients, verifiers: verifiers, environment: assumed, now: now))
        let (http, store) = (http(in: assumed), store(in: assumed))
        let sealing = sealingKeys()
        let logging = logging()
        let prices = prices(of: verifiers)
        let budgets = budgets(prices.book)
        let operatorWebhook = operatorWebhook(in: assumed)
        root.rejectUnknownKeys()
        guard let environment, let store else { return nil }
        return ConfigurationParts(
            environment: environment, http: http, store: store, sealingKeys: sealing, clients: clients,
            purposes: purposes, verifiers: verifiers, routes: routes, lines: lines(), sessions: sessions,
            logging: logging, prices: prices, budgets: budgets,
            operatorWebhook: operatorWebhook)
    }

    private func lines() -> ConfigurationLines {
        var lines = ConfigurationLines()
        lines.routes = root.node["routes"]?.elements?.map(\.line) ?? []
        for member in root.node["purposes"]?.members ?? [] { lines.purposes[PurposeID(member.name)] = member.line }
        return lines
    }

    /// The canonical form is kept and shown, so no address in it may hold a password, whosever key it stands under.
    private func refuseUsersInAddresses(_ node: JSONNode, path: String) {
        switch node.kind {
        case .null, .boolean, .number: break
        case .string(let text):
            if WebAddress.hasUser(text) {
                JSONReader(node, path: path, problems: root.problems)
                    .report("holds a user name or a password in an address: secrets have places of their own")
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                refuseUsersInAddresses(element, path: JSONPath.element(index, of: path))
            }
        case .object(let members):
            for member in members where member.name != "command" {
                refuseUsersInAddresses(member.value, path: JSONPath.member(member.name, of: path))
            }
        }
    }

    /// The members of a dictionary whose names are names of ours; it must be there and hold at least one.
    func named(_ name: String) -> [(name: String, reader: JSONReader)] {
        guard let dictionary = root.object(name) else { return [] }
        let entries = dictionary.entries()
        if entries.isEmpty { dictionary.report("must not be empty") }
        for entry in entries where !ConfiguredName.isValid(entry.name) {
            entry.reader.report("has a name that is not plain: \(ConfiguredName.form)")
        }
        return entries.filter { $0.reader.isObject() }
    }
}
