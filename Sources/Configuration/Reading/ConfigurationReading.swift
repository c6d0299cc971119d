import JSONTree
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
    var routes: [RouteDeclaration]
    var sessions: SessionsDeclaration
    var logging: LoggingDeclaration

    func configuration(canonicalForm: [UInt8], version: String) -> GatewayConfiguration {
        GatewayConfiguration(
            environment: environment, http: http, store: store, sealingKeys: sealingKeys, clients: clients,
            purposes: purposes, verifiers: verifiers, routes: routes, sessions: sessions, logging: logging,
            canonicalForm: canonicalForm, version: version)
    }
}

/// Turns a tree into the parts of a configuration; every method notes what is wrong and goes on.
struct ConfigurationReading {
    let root: JSONReader
    let kinds: [String: KindChecker]
    let resolver: SecretResolver
    let now: Timestamp

    /// The parts; they are good for use only where no problem was noted.
    func parts() -> ConfigurationParts? {
        guard root.isObject() else { return nil }
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
        root.rejectUnknownKeys()
        guard let environment, let store else { return nil }
        return ConfigurationParts(
            environment: environment, http: http, store: store, sealingKeys: sealing, clients: clients,
            purposes: purposes, verifiers: verifiers, routes: routes, sessions: sessions, logging: logging)
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
