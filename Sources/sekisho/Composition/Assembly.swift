import Configuration
import Gateway
import HTTPClient
import HTTPServer
import MemoryStore
import SQLiteStore
import VerificationCore

/// Everything that runs, opened in the order in which it is needed: what fails, fails before a port is open.
struct Assembly: Sendable {
    let configuration: GatewayConfiguration
    let store: any Store
    let gateway: Gateway
    let housekeeper: Housekeeper
    let outbox: OutboxWorker
    let client: HTTPClient
    let clock: SteadyClock
    let log: Log

    /// Opens everything but the port.
    static func open(configurationAt path: String) async throws -> Assembly {
        let clock = SteadyClock()
        let client = try HTTPClient()
        let outbound = Outbound(client: client, metrics: Metrics(), clock: clock)
        let opened = try OpenedConfiguration.open(path: path, outbound: outbound, at: clock.now())
        let configuration = opened.configuration
        let log = Log(minimum: Log.Level(configuration.logging.level)) { StandardOutput.write(line: $0) }
        let store: any Store
        switch configuration.store {
        case .sqlite(let path): store = try SQLiteStore(path: path)
        case .memory: store = MemoryStore()
        }
        do {
            for name in try await opened.keys.check(against: store) {
                log(
                    .error, "sessions are sealed with a key that is not configured", at: clock.now(),
                    [(.key, .text(name))])
            }
            let gateway = Gateway(
                running: Running(opened), source: Reloader(path: path, started: configuration, outbound: outbound),
                store: store, clock: clock, metrics: outbound.metrics, log: log, openAPI: PackageResources.openapi_json)
            try await gateway.keepConfiguration()
            await gateway.restoreHolds()
            let housekeeper = Housekeeper(of: gateway)
            try await housekeeper.recover()
            gateway.logAlarms()
            let sender = WebhookSender(
                client: client, plaintext: configuration.environment == .production ? .refused : .loopback)
            return Assembly(
                configuration: configuration, store: store, gateway: gateway, housekeeper: housekeeper,
                outbox: OutboxWorker(of: gateway, sender: sender), client: client, clock: clock, log: log)
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
}
