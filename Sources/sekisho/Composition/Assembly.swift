import Configuration
import Gateway
import HTTPServer
import JSONTree
import MemoryStore
import SQLiteStore
import VerificationCore

/// Everything that runs, opened in the order in which it is needed: what fails, fails before a port is open.
struct Assembly: Sendable {
    let configuration: GatewayConfiguration
    let store: any Store
    let gateway: Gateway
    let housekeeper: Housekeeper
    let clock: SteadyClock
    let log: Log

    /// Opens everything but the port.
    static func open(configurationAt path: String) async throws -> Assembly {
        let clock = SteadyClock()
        let loader = ConfigurationLoader(kinds: VerifierKinds.checkers)
        let configuration = try loader.load(path: path, at: clock.now())
        let log = Log(minimum: Log.Level(configuration.logging.level)) { StandardOutput.write(line: $0) }
        let verifiers = try openVerifiers(of: configuration, resolver: loader.resolver, at: clock.now())
        let store: any Store
        switch configuration.store {
        case .sqlite(let path): store = try SQLiteStore(path: path)
        case .memory: store = MemoryStore()
        }
        do {
            let keys = try SealingKeys(configuration.sealingKeys.map { ($0.id, $0.key) })
            for name in try await keys.check(against: store) {
                log(
                    .error, "sessions are sealed with a key that is not configured", at: clock.now(),
                    [(.key, .text(name))])
            }
            let gateway = Gateway(
                running: Running(configuration, keys: keys, verifiers: verifiers), store: store, clock: clock,
                metrics: Metrics(), log: log, openAPI: PackageResources.openapi_json)
            let housekeeper = Housekeeper(of: gateway)
            try await housekeeper.recover()
            gateway.logAlarms()
            return Assembly(
                configuration: configuration, store: store, gateway: gateway, housekeeper: housekeeper, clock: clock,
                log: log)
        } catch {
            await store.close()
            throw error
        }
    }

    /// Opens the port.
    func listen() throws(HTTPServerError) -> HTTPServer {
        try HTTPServer(
            address: configuration.http.address, port: configuration.http.port,
            limits: HTTPLimits(configuration.http.limits), threads: configuration.http.threads,
            refusal: { [gateway] in gateway.refuse($0) }, handler: { [gateway] in await gateway.respond(to: $0) })
    }

    private static func openVerifiers(
        of configuration: GatewayConfiguration, resolver: SecretResolver, at now: Timestamp
    ) throws(JSONProblems) -> [OpenedVerifier] {
        let context = KindContext(environment: configuration.environment, now: now, resolver: resolver)
        var opened: [OpenedVerifier] = []
        for declaration in configuration.orderedVerifiers {
            guard let kind = VerifierKinds.all.first(where: { $0.name == declaration.kind }) else {
                throw JSONProblems([
                    JSONProblem(
                        path: declaration.path, line: declaration.node.line, problem: "is of a kind that nobody knows")
                ])
            }
            opened.append(try kind.open(declaration, context))
        }
        return opened
    }
}
