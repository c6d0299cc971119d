import Configuration
import Gateway
import HTTPServer
import VerificationCore

extension GatewaySettings {
    /// What a configuration means to the gateway.
    init(_ configuration: GatewayConfiguration) {
        self.init(
            version: configuration.version, clients: configuration.clients.values.map(Client.init),
            purposes: configuration.purposes.mapValues(\.purpose),
            table: configuration.routes,
            sessionLifetime: configuration.sessions.lifetime,
            processingDeadline: configuration.sessions.processingDeadline,
            purgeAfter: configuration.sessions.purgeAfter)
        document = configuration.canonicalForm
        logLevel = Log.Level(configuration.logging.level)
        circuits = configuration.verifiers.mapValues(\.circuit)
        prices = configuration.prices
        budgets = configuration.budgets
    }
}

extension Client {
    init(_ declaration: ClientDeclaration) {
        let role: Role =
            switch declaration.role {
            case .app: .app
            case .operator: .operator
            case .finance: .finance
            case .auditor: .auditor
            }
        self.init(
            id: declaration.id, keyHashes: Set(declaration.keyHashes), role: role, purposes: declaration.purposes)
    }
}

extension Running {
    /// A configuration and its opened verifiers, with the rule of who may verify what without a certification.
    init(_ opened: OpenedConfiguration) {
        let configuration = opened.configuration
        var settings = GatewaySettings(configuration)
        for index in settings.clients.indices {
            settings.clients[index].webhook = opened.webhooks[settings.clients[index].id]
        }
        settings.operatorWebhook = opened.operatorWebhook
        settings.invoiceFormats = opened.invoiceFormats
        settings.inventory = opened.inventory()
        self.init(settings: settings, keys: opened.keys, verifiers: opened.verifiers) {
            id, purpose, documentType, now in
            guard let verifier = configuration.verifiers[id], let purpose = configuration.purposes[purpose] else {
                return false
            }
            return CertificationRule.refusal(
                of: verifier, for: purpose, documentType: documentType, in: configuration.environment, at: now) == nil
        }
    }
}

extension HTTPLimits {
    init(_ limits: HTTPDeclaration.Limits) {
        self.init()
        bodyBytes = limits.bodyBytes
        headerBytes = limits.headerBytes
        headDeadline = limits.headDeadline
        bodyDeadline = limits.bodyDeadline
        answerDeadline = limits.answerDeadline
        idle = limits.idleTimeout
        connections = limits.connections
        connectionsPerAddress = limits.connectionsPerAddress
        bufferedBytes = limits.bufferedBytes
        largeBodies = Gateway.invoicePaths.map { LargeBody(method: "POST", path: $0, bytes: limits.invoiceBytes) }
    }
}

extension Log.Level {
    init(_ level: LoggingDeclaration.Level) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
